// Command conformance tests whether a service conforms to its OpenAPI contract.
//
//	conformance run --base-url https://store.example --token-file token
//
// It sends the fixtures' requests to the service, judges each response and says
// conformant, nonconformant or inconclusive, with the evidence. `conformance
// --help` lists its commands.
package main

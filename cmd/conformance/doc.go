// Command conformance holds a service against its contract.
//
//	conformance run --base-url https://store.example --token-file token
//
// It replays fixtures against the service, judges every answer and says
// conformant, nonconformant or inconclusive, with the evidence. `conformance
// --help` names its commands.
package main

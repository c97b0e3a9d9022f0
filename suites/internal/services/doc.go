// Package services holds what two HTTP services for the tests of the harness share: the
// bookshop of package books and the parcel service of package parcels.
//
// Each service is an independent implementation of its OpenAPI document. It validates
// requests with code that is written by hand and does not use the harness. So harness and
// service check each other. An option makes a service deviate from its document in one
// place, or vary where the document permits it:
//
//	for _, s := range []services.Service{books.Service(), parcels.Service()} {
//		for _, d := range s.Deviations {
//			server := httptest.NewServer(s.New(services.Options{Deviation: d}))
//			...
//		}
//	}
package services

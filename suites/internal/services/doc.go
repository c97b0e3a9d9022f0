// Package services holds what two HTTP services for the tests of the harness share: the
// bookshop of package books and the parcel service of package parcels.
//
// Each service is an independent reading of its OpenAPI document. It checks requests with
// code written by hand and uses nothing of the harness, so harness and service check each
// other. A service can be told to deviate from its document in one place, or to vary
// where the document leaves it free:
//
//	for _, s := range []services.Service{books.Service(), parcels.Service()} {
//		for _, d := range s.Deviations {
//			server := httptest.NewServer(s.New(services.Options{Deviation: d}))
//			...
//		}
//	}
package services

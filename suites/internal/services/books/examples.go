package books

// The books that a new shop has.
const (
	paperBook = `{"title":"The Left Hand of Darkness","author":"Ursula K. Le Guin","language":"en","price":{"amount":9.95,"currency":"GBP"},"edition":{"kind":"paper","pages":304}}`

	audioBook = `{"title":"Momo","author":"Michael Ende","language":"de","price":{"amount":20,"currency":"EUR"},"edition":{"kind":"audio","minutes":512,"narrator":null}}`

	fullBook = `{"title":"Un Nos Ola Leuad","subtitle":null,"author":"Caradog Prichard","language":"cy","isbn":"978-0862430931",
"price":{"amount":0.5,"currency":"CHF"},"edition":{"kind":"paper","pages":191,"binding":"hardcover","size":[210,148.5,12]},
"tags":["fiction","classic"],"published":"1961-11-01","rating":4.5,"stock":3,"barcode":9780862430931,"series":"Clasuron","volume":2,
"publisher":{"name":"Gwasg Gee","email":"post@gee.example","website":"https://gee.example/?a=1"},
"titles":{"en":"One Moonlit Night"},"purchaseNote":"from the estate"}`
)

package money

import "strings"

const usualExponent = 2

// circulating is ISO 4217 list one (current currencies) as of amendment 180, in force since 2026-01-01, by
// exponent. Left out are the codes that nobody is invoiced in: funds and units of account (BOV CHE CHW CLF
// COU MXV USN UYI UYW XAD XDR XSU XUA), metals and bond units (XAG XAU XBA–XBD XPD XPT), XTS and XXX.
// Codes withdrawn from list one (lately BGN, ANG, ZWL, CUC, HRK, SLL) are gone from here too.
var circulating = map[int]string{
	0: `BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF`,
	3: `BHD IQD JOD KWD LYD OMR TND`,
	usualExponent: `
		AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD
		CAD CDF CHF CNY COP CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS
		GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP
		LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK
		NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS
		SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VED VES WST
		XCD XCG YER ZAR ZMW ZWG`,
}

// exponents is circulating by code.
var exponents = func() map[string]int {
	byCode := map[string]int{}
	for exponent, codes := range circulating {
		for code := range strings.FieldsSeq(codes) {
			byCode[code] = exponent
		}
	}
	return byCode
}()

package demobooks

var netherlands = place{
	taxNumber: "NL0000000%02dB01",
	companies: [10]contact{
		{name: "Café De Sluiswachter", street: "Oude Haven 12", postal: "3511 AB", town: "Utrecht"},
		{name: "Hotel Singelzicht B.V.", street: "Lange Singel 84", postal: "2312 CD", town: "Leiden"},
		{name: "Lunchroom Het Zonnetje", street: "Marktplein 3", postal: "3811 EF", town: "Amersfoort"},
		{name: "Zorgcentrum Avondrood", street: "Parkweg 101", postal: "3731 LM", town: "De Bilt"},
		{name: "Restaurant Koper & Zout", street: "Brugstraat 19", postal: "3512 JK", town: "Utrecht"},
		{name: "Stichting Buurthuis Noord", street: "Kanaaldijk 55", postal: "3564 TV", town: "Utrecht"},
		{name: "Tandartspraktijk Van Doorn", street: "Beukenhof 6", postal: "3705 NP", town: "Zeist"},
		{name: "Drukkerij Letterproef V.O.F.", street: "Ambachtsweg 27", postal: "3542 RS", town: "Utrecht"},
		{name: "Basisschool De Wilgentak", street: "Wilgenlaan 40", postal: "3572 GH", town: "Utrecht"},
		{name: "Eetcafé 't Hoekje", street: "Kerkstraat 1", postal: "3401 WX", town: "IJsselstein"},
	},
	people: [5]contact{
		{name: "Marieke", family: "Hofstra", street: "Rozenstraat 22", postal: "3551 BA", town: "Utrecht"},
		{name: "Joris", family: "ten Cate", street: "Dorpsstraat 9", postal: "3981 DC", town: "Bunnik"},
		{name: "Fatima", family: "El Idrissi", street: "Vondellaan 133", postal: "3521 FE", town: "Utrecht"},
		{name: "Pieter", family: "Kuipers", street: "Lindelaan 15", postal: "3722 HG", town: "Bilthoven"},
		{name: "Anouk", family: "Verbeek", street: "Maliesingel 70", postal: "3581 KJ", town: "Utrecht"},
	},
	suppliers: map[role]contact{
		goodsA:     {street: "Molendijk 2", postal: "3961 AA", town: "Wijk bij Duurstede"},
		goodsB:     {street: "Weidepad 8", postal: "3471 BB", town: "Kamerik"},
		landlord:   {name: "Vastgoed Stadshart B.V.", street: "Neude 30", postal: "3512 AE", town: "Utrecht"},
		energy:     {name: "Lichtstroom Energie", street: "Stroomweg 1", postal: "6811 EN", town: "Arnhem"},
		telecom:    {name: "Draadloos Telecom", street: "Zendmast 14", postal: "1217 TC", town: "Hilversum"},
		insurer:    {name: "Onderlinge Verzekering De Hoeksteen", street: "Zuiderpark 200", postal: "9724 VZ", town: "Groningen"},
		accountant: {name: "Administratiekantoor Balans & Co", street: "Catharijnesingel 48", postal: "3511 AK", town: "Utrecht"},
		workshop:   {name: "Garage en Machinehandel Smit", street: "Industrieweg 11", postal: "3401 GM", town: "IJsselstein"},
	},
}

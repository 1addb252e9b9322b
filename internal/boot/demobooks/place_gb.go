package demobooks

var britain = place{
	taxNumber: "GB0000000%02d",
	phone:     "01632 960 1%02d", // kept free by the regulator
	companies: [10]contact{
		{name: "Pemberton & Rowe Solicitors", street: "14 Castle Row", postal: "BS1 4AB", town: "Bristol"},
		{name: "Kestrel Film & Sound Ltd", street: "Studio 3, Gas Lane", postal: "BS2 0QR", town: "Bristol"},
		{name: "Wharfside Architects LLP", street: "Unit 5, Cooper's Wharf", postal: "BS1 6EF", town: "Bristol"},
		{name: "The Lantern Theatre Trust", street: "9 Candle Street", postal: "BA1 2LM", town: "Bath"},
		{name: "Halloway Engineering Ltd", street: "22 Foundry Way", postal: "BS11 8JK", town: "Avonmouth"},
		{name: "St Brannock's Parish Council", street: "The Old Vestry, Church Road", postal: "BS9 3GH", town: "Bristol"},
		{name: "Meridian Dental Care", street: "61 Whiteladies Rise", postal: "BS8 2NP", town: "Bristol"},
		{name: "Thornfield Primary School", street: "Thornfield Lane", postal: "BS6 7CD", town: "Bristol"},
		{name: "Mendip Walkers' Association", street: "4 Quarry Cottages", postal: "BS40 7ST", town: "Winscombe"},
		{name: "Brightwell Events Ltd", street: "Suite 2, Queen's Parade", postal: "BA1 1UV", town: "Bath"},
	},
	people: [5]contact{
		{name: "Harriet", family: "Ashdown", street: "7 Orchard Close", postal: "BS7 8AA", town: "Bristol"},
		{name: "Dev", family: "Chatterjee", street: "18 Redland Mews", postal: "BS6 6BB", town: "Bristol"},
		{name: "Moira", family: "Kinsella", street: "2 Weavers Hill", postal: "BA2 4CC", town: "Bath"},
		{name: "Owen", family: "Pritchard", street: "33 Portishead Road", postal: "BS20 7DD", town: "Portishead"},
		{name: "Grace", family: "Adeyemi", street: "5 Clifton Terrace", postal: "BS8 4EE", town: "Bristol"},
	},
	suppliers: map[role]contact{
		goodsA:     {street: "Stall 40, Wholesale Market", postal: "BS2 9FF", town: "Bristol"},
		goodsB:     {street: "88 North Street", postal: "BS3 1GG", town: "Bristol"},
		landlord:   {name: "Common Table Kitchens CIC", street: "The Old Print Works", postal: "BS5 6HH", town: "Bristol"},
		energy:     {name: "Severn Light & Heat plc", street: "1 Barrage Road", postal: "GL1 2JJ", town: "Gloucester"},
		telecom:    {name: "Larkspur Mobile Ltd", street: "10 Signal Street", postal: "RG1 1KK", town: "Reading"},
		insurer:    {name: "Caterers' Mutual Insurance Society", street: "3 Assurance Court", postal: "EX1 1LL", town: "Exeter"},
		accountant: {name: "Tally & Finch Accountants", street: "27 Ledger Lane", postal: "BS1 5MM", town: "Bristol"},
		workshop:   {name: "Avon Vans and Kitchen Equipment Ltd", street: "Unit 12, Brunel Park", postal: "BS4 5NN", town: "Bristol"},
	},
}

package demobooks

// anywhere has names for every country that has no table of its own; the towns are the country's.
var anywhere = place{
	companies: [10]contact{
		{name: "Northgate Dental Practice", street: "14 Station Road"},
		{name: "Harbour View Hotel", street: "2 Quay Street"},
		{name: "Lindgren & Osei Architects", street: "31 Market Square"},
		{name: "Elm Street School", street: "80 Elm Street"},
		{name: "Rivera Print Studio", street: "5 Mill Lane"},
		{name: "Sunrise Care Home", street: "101 Park Avenue"},
		{name: "Blue Kettle Tea Rooms", street: "19 Bridge Street"},
		{name: "Novak Joinery", street: "27 Sawmill Road"},
		{name: "Lakeside Rowing Club", street: "The Boathouse, Shore Road"},
		{name: "Comet Outfitters", street: "6 Arcade Passage"},
	},
	people: [5]contact{
		{name: "Elena", family: "Marsh", street: "22 Rose Street"},
		{name: "Tomas", family: "Lindqvist", street: "9 Church Lane"},
		{name: "Aiko", family: "Bennett", street: "133 Hill Road"},
		{name: "Samuel", family: "Osei", street: "15 Lime Avenue"},
		{name: "Nora", family: "Castellan", street: "70 Garden Street"},
	},
	suppliers: map[role]contact{
		goodsA:     {street: "40 Depot Road"},
		goodsB:     {street: "8 Meadow Lane"},
		landlord:   {name: "Old Works Properties", street: "1 Factory Yard"},
		energy:     {name: "Bright Current Energy", street: "200 Power Street"},
		telecom:    {name: "Clearline Telecom", street: "14 Exchange Street"},
		insurer:    {name: "Cornerstone Mutual Insurance", street: "3 Assurance Square"},
		accountant: {name: "Tally & Finch Accountants", street: "27 Ledger Lane"},
		workshop:   {name: "Hartmann Vehicles and Machines", street: "11 Industry Road"},
	},
}

// towns of some countries: two of them, each with a postal code.
var towns = map[string][2]contact{
	"AT": {{town: "Wien", postal: "1010"}, {town: "Graz", postal: "8010"}},
	"AU": {{town: "Melbourne", postal: "3000"}, {town: "Geelong", postal: "3220"}},
	"BE": {{town: "Gent", postal: "9000"}, {town: "Antwerpen", postal: "2000"}},
	"CA": {{town: "Toronto", postal: "M5H 2N2"}, {town: "Hamilton", postal: "L8P 4S6"}},
	"CH": {{town: "Zürich", postal: "8001"}, {town: "Bern", postal: "3011"}},
	"DE": {{town: "Hannover", postal: "30159"}, {town: "Braunschweig", postal: "38100"}},
	"DK": {{town: "Aarhus", postal: "8000"}, {town: "Odense", postal: "5000"}},
	"ES": {{town: "Valencia", postal: "46001"}, {town: "Castellón", postal: "12001"}},
	"FR": {{town: "Lyon", postal: "69001"}, {town: "Grenoble", postal: "38000"}},
	"IE": {{town: "Cork", postal: "T12 W8KP"}, {town: "Limerick", postal: "V94 EH90"}},
	"IT": {{town: "Bologna", postal: "40121"}, {town: "Modena", postal: "41121"}},
	"JP": {{town: "Kyoto", postal: "600-8216"}, {town: "Osaka", postal: "530-0001"}},
	"NO": {{town: "Bergen", postal: "5003"}, {town: "Stavanger", postal: "4006"}},
	"NZ": {{town: "Wellington", postal: "6011"}, {town: "Nelson", postal: "7010"}},
	"PT": {{town: "Porto", postal: "4000-001"}, {town: "Braga", postal: "4700-001"}},
	"SE": {{town: "Uppsala", postal: "753 10"}, {town: "Gävle", postal: "803 20"}},
	"US": {{town: "Madison, WI", postal: "53703"}, {town: "Milwaukee, WI", postal: "53202"}},
}

// in is the place in a country: one in three lives in its second town.
func (p place) in(country string) place {
	pair := towns[country]
	settle := func(i int, c *contact) {
		at := pair[0]
		if i%3 == 2 {
			at = pair[1]
		}
		c.town, c.postal = at.town, at.postal
	}
	for i := range p.companies {
		settle(i, &p.companies[i])
	}
	for i := range p.people {
		settle(i, &p.people[i])
	}
	suppliers := map[role]contact{}
	for r, c := range p.suppliers {
		settle(int(r), &c)
		suppliers[r] = c
	}
	p.suppliers = suppliers
	return p
}

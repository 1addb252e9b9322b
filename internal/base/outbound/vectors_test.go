package outbound

import (
	"net/netip"
	"strings"
)

// forbidden are addresses no stranger may make us connect to, each with what it is.
var forbidden = []struct{ addr, is string }{
	{"0.0.0.0", "this host"},
	{"0.1.2.3", "this network"},
	{"10.0.0.1", "private"},
	{"100.64.0.1", "shared address space"},
	{"100.100.100.200", "metadata of a cloud, in shared space"},
	{"127.0.0.1", "loopback"},
	{"127.255.255.254", "the far end of loopback"},
	{"168.63.129.16", "metadata of a cloud, in public space"},
	{"169.254.169.254", "metadata"},
	{"172.16.0.1", "private"},
	{"172.31.255.255", "private, last"},
	{"192.0.0.8", "protocol assignments"},
	{"192.0.0.192", "metadata of a cloud, in protocol assignments"},
	{"192.0.2.1", "documentation"},
	{"192.31.196.1", "AS112"},
	{"192.52.193.1", "AMT"},
	{"192.88.99.1", "6to4 relay"},
	{"192.168.1.1", "private"},
	{"192.175.48.1", "AS112 direct"},
	{"198.18.0.1", "benchmarking"},
	{"198.19.255.255", "benchmarking, last"},
	{"198.51.100.1", "documentation"},
	{"203.0.113.1", "documentation"},
	{"224.0.0.1", "multicast"},
	{"239.255.255.255", "multicast, last"},
	{"240.0.0.1", "class E"},
	{"255.255.255.255", "broadcast"},
	{"::", "unspecified"},
	{"::1", "loopback"},
	{"::7f00:1", "IPv4-compatible loopback"},
	{"::ffff:127.0.0.1", "IPv4-mapped loopback"},
	{"::ffff:169.254.169.254", "IPv4-mapped metadata"},
	{"::ffff:0:7f00:1", "IPv4-translated loopback"},
	{"64:ff9b::7f00:1", "NAT64 loopback"},
	{"64:ff9b::a9fe:a9fe", "NAT64 metadata"},
	{"64:ff9b::808:808", "NAT64 of a public address"},
	{"64:ff9b:1::a9fe:a9fe", "local NAT64"},
	{"100::1", "discard"},
	{"2001::1", "Teredo"},
	{"2001:0:7f00:1::", "Teredo with a loopback server"},
	{"2001:2::1", "benchmarking"},
	{"2001:10::1", "ORCHID"},
	{"2001:20::1", "ORCHIDv2"},
	{"2001:db8::1", "documentation"},
	{"2002:7f00:1::1", "6to4 of loopback"},
	{"2002:a9fe:a9fe::1", "6to4 of metadata"},
	{"2620:4f:8000::1", "AS112"},
	{"2a00:1450::5efe:7f00:1", "ISATAP of loopback"},
	{"2a00:1450::200:5efe:a00:1", "ISATAP of a private address"},
	{"3fff::1", "documentation"},
	{"4000::1", "unassigned"},
	{"5f00::1", "segment routing"},
	{"fc00::1", "unique local"},
	{"fd00::1", "unique local"},
	{"fd00:ec2::254", "metadata, unique local"},
	{"fe80::1", "link local"},
	{"fec0::1", "site local"},
	{"ff02::1", "multicast"},
}

// publicAddrs are let through. No test connects to them: the recorder stops there.
var publicAddrs = []string{"1.1.1.1", "8.8.8.8", "93.184.216.34", "100.128.0.1", "198.20.0.1", "2606:4700::1111", "2a00:1450:4001::1"}

// oddHosts are spellings that some resolver, browser or C library takes for an address.
var oddHosts = []string{
	"0x7f.1", "0x7f000001", "0X7F.0.0.1", "2130706433", "017700000001", "0177.0.0.1", "127.1", "127.0.1",
	"127.0.0.01", "127.0.0.1.", "0", "00000", "127.0.0.256", "1.2.3.4.5", "0x", "example.0x7f", "example.1",
	"[::ffff:127.0.0.1]", "[::ffff:8.8.8.8]", "[::FFFF:7f00:1]", "[127.0.0.1]", "[fe80::1%25eth0]",
	"[::1%25lo]", "[::1", "::1", "[::1]]", "[v1.x]", "[]",
}

func literal(addr string) string {
	if strings.Contains(addr, ":") {
		return "[" + addr + "]"
	}
	return addr
}

func parseAddrs(list string) []netip.Addr {
	var addrs []netip.Addr
	for _, s := range strings.Fields(list) {
		addrs = append(addrs, netip.MustParseAddr(s))
	}
	return addrs
}

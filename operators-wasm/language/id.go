package language

import (
	"cmp"
	"strings"
)

// CompareIDs orders operator ids as people count: KO9 before KO42 before KO100.
func CompareIDs(a, b string) int {
	prefixA, numberA := splitID(a)
	prefixB, numberB := splitID(b)
	return cmp.Or(
		cmp.Compare(prefixA, prefixB),
		cmp.Compare(len(numberA), len(numberB)),
		cmp.Compare(numberA, numberB),
	)
}

// splitID cuts an id in front of its trailing digits, without leading zeros.
func splitID(id string) (prefix, number string) {
	prefix = strings.TrimRight(id, "0123456789")
	return prefix, strings.TrimLeft(id[len(prefix):], "0")
}

package meter

// ScheduleVersion names the price list below. It is part of every receipt and
// every cache key: change a price and the version changes with it.
const ScheduleVersion = "fuel/1"

// The prices of fuel/1 that depend on a length. They are added to the 1 that
// the instruction itself costs.
const (
	// BytesPerFuel is how many bytes memory.fill, memory.copy and memory.init
	// move for one unit of fuel, and how many bytes a host call moves for one.
	BytesPerFuel = 16
	// ElementFuel is charged for each element of table.fill, table.copy,
	// table.init and a table.grow that succeeds.
	ElementFuel = 1
	// PageFuel is charged for each page of a memory.grow that succeeds: the
	// price of clearing it.
	PageFuel = 65536 / BytesPerFuel
	// EntryFuel is charged when a function is entered.
	EntryFuel = 1
)

// price is the fixed part of fuel/1: what executing op once costs. It is the
// table of wasmtime, so that on code without bulk operations the two counts
// agree to the unit.
func price(op byte) uint64 {
	switch op {
	case opUnreachable, opNop, opBlock, opLoop, opElse, opEnd, opReturn, opDrop:
		return 0
	}
	return 1
}

extension TLV8 {
    /// Creates a pairing message with its State first.
    init(state: PairingState, _ items: [Item] = []) {
        self.init([Item(.state, [state.rawValue])] + items)
    }

    /// Creates an accessory's refusal.
    package init(state: PairingState, error: PairingError) {
        self.init(state: state)
        append(.error, integer: error.rawValue)
    }

    /// The message's number in its exchange, or `nil` if it has none from M1 to M6.
    package var state: PairingState? {
        (try? integer(.state)).flatMap { $0 }.flatMap(UInt8.init(exactly:)).flatMap(PairingState.init)
    }

    /// The method of the message, or `nil` if it has none.
    var method: PairingMethod? {
        (try? integer(.method)).flatMap { $0 }.map(PairingMethod.init)
    }

    /// Returns the value of a type if it exists and has this length.
    func value(_ type: TLVType, count: Int) -> [UInt8]? {
        self[type].flatMap { $0.count == count ? $0 : nil }
    }
}

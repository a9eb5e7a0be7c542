extension HAPType {
    private static let momentary: Set<HAPType> = [
        Characteristic.programmableSwitchEvent, Characteristic.buttonEvent,
    ]

    /// Whether a characteristic of this type reports occurrences instead of a state. Each event is one press, even if
    /// it repeats the previous value, and the value has no meaning after the event.
    package var isMomentary: Bool { Self.momentary.contains(self) }
}

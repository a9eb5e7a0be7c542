extension HAPType {
    private static let momentary: Set<HAPType> = [
        Characteristic.programmableSwitchEvent, Characteristic.buttonEvent,
    ]

    /// Whether a characteristic of this type reports moments: each event is one press, even if it repeats the value
    /// before it, and no value outlasts its event.
    package var isMomentary: Bool { Self.momentary.contains(self) }
}

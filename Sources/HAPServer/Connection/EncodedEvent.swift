internal import HAP

/// An event, its message, and the message's bytes.
struct EncodedEvent: Sendable {
    let event: CharacteristicEvent
    let message: EventMessage
    let bytes: [UInt8]

    init(_ event: CharacteristicEvent) {
        self.event = event
        message = event.message()
        bytes = message.encoded()
    }
}

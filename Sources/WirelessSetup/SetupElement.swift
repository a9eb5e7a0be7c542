import HAP

/// The types of the values in a configuration and in the reply to it.
enum SetupElement: UInt8, CaseIterable {
    case firmwareRevision = 0x02
    case hardwareRevision = 0x03
    case manufacturer = 0x05
    case model = 0x07
    case name = 0x08
    case serialNumber = 0x0A
    case passphrase = 0x0B
    case network = 0x0C
}

extension TLV8 {
    /// Decodes a configuration or the reply to it. Unknown types are ignored.
    init(decodingSetup bytes: [UInt8]) throws(WirelessSetupError) {
        guard bytes.count <= WirelessSetupLimits.messageLength else { throw .messageTooLong }
        do {
            try self.init(decodingMessage: bytes)
        } catch {
            throw .malformedMessage(error.description)
        }
    }

    /// Returns a string, or `nil` if there is none.
    func text(_ element: SetupElement) throws(WirelessSetupError) -> String? {
        guard let bytes = self[TLVType(rawValue: element.rawValue)] else { return nil }
        guard bytes.count <= WirelessSetupLimits.textLength, let text = String(validating: bytes, as: UTF8.self) else {
            throw .malformedMessage("element \(element.rawValue) is too long or isn't UTF-8")
        }
        return text
    }

    /// Appends a string, unless it is `nil`.
    mutating func append(_ element: SetupElement, _ text: String?) throws(WirelessSetupError) {
        guard let text else { return }
        guard text.utf8.count <= WirelessSetupLimits.textLength else { throw .messageTooLong }
        append(TLVType(rawValue: element.rawValue), Array(text.utf8))
    }
}

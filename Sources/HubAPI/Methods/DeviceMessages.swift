package import Foundation

/// Sends a message to another device of the caller's user, which its agent receives as a ``HubEvent/deviceMessage(_:)``.
package struct SendToDevice: Hashable, Sendable, Codable {
    /// The maximum length of a message in bytes.
    package static let maximumLength = 4_096

    /// The ID of the other device.
    package var device: UUID
    /// The message. The hub passes it on and doesn't read it.
    package var body: Data

    /// Creates a request.
    package init(device: UUID, body: Data) {
        self.device = device
        self.body = body
    }
}

/// A message from another device of the same user.
package struct DeviceMessage: Hashable, Sendable, Codable {
    /// The ID of the device that sent it.
    package var from: UUID
    /// The message.
    package var body: Data

    /// Creates a message.
    package init(from: UUID, body: Data) {
        self.from = from
        self.body = body
    }
}

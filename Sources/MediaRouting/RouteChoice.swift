internal import Foundation

/// The user's choice of receivers, which all of the user's apps share.
package struct RouteChoice: Codable, Hashable, Sendable {
    /// The maximum number of receivers whose passwords are kept. A new one replaces the oldest one.
    package static let passwordLimit = 32

    /// A receiver.
    package struct Receiver: Codable, Hashable, Sendable {
        /// The receiver's name or ID.
        package var name: String
        /// The receiver's host, or `nil` if it is found by its name.
        package var host: String?
        /// The receiver's port, with ``host``.
        package var port: Int?
        /// The protocol, or `nil` for AirPlay 2 if the receiver advertises it.
        package var version: StreamSelection.Version?
        /// Whether the receiver was paired with a PIN. With ``host``, it isn't known otherwise.
        package var isPaired: Bool?

        /// Creates a reference to a receiver.
        package init(name: String, host: String? = nil, port: Int? = nil) {
            (self.name, self.host, self.port) = (name, host, port)
        }
    }

    private struct Password: Codable, Hashable, Sendable {
        var receiver: String
        var password: String
    }

    /// The receivers, which play in step. Audio stays on this computer if there are none.
    package var receivers: [Receiver]
    /// The interfaces to look for receivers on, by name or address, or `nil` for all.
    package var interfaces: [String]?
    /// The passwords that the user has given, the oldest one first. They outlast the choice.
    private var passwords: [Password]?

    /// Reads a choice. A file without receivers keeps audio on this computer, with its interfaces.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        receivers = try container.decodeIfPresent([Receiver].self, forKey: .receivers) ?? []
        interfaces = try container.decodeIfPresent([String].self, forKey: .interfaces)
        passwords = try container.decodeIfPresent([Password].self, forKey: .passwords)
    }

    /// Creates a choice of receivers.
    package init(_ receivers: [Receiver], interfaces: [String]? = nil) {
        (self.receivers, self.interfaces) = (receivers, interfaces)
    }

    /// Creates a choice of one receiver, or of none.
    package init(
        receiver: String? = nil,
        host: String? = nil,
        port: Int? = nil,
        password: String? = nil,
        interfaces: [String]? = nil
    ) {
        self.init(receiver.map { [Receiver(name: $0, host: host, port: port)] } ?? [], interfaces: interfaces)
        if let receiver, let password { setPassword(password, of: receiver) }
    }

    /// The name or ID of the first receiver, or `nil` if audio stays on this computer.
    package var receiver: String? { receivers.first?.name }

    /// Returns whether a receiver is one of those that were chosen.
    package func contains(_ receiver: String) -> Bool {
        receivers.contains { $0.name == receiver }
    }

    /// Returns the password that the user has given for a receiver.
    package func password(of receiver: String) -> String? {
        passwords?.first { $0.receiver == receiver }?.password
    }

    /// Keeps a receiver's password.
    package mutating func setPassword(_ password: String, of receiver: String) {
        let others = (passwords ?? []).filter { $0.receiver != receiver }
        passwords = others.suffix(Self.passwordLimit - 1) + [Password(receiver: receiver, password: password)]
    }

    /// Returns a choice of other receivers, with the same passwords.
    package func replacing(_ receivers: [Receiver]) -> RouteChoice {
        var choice = self
        choice.receivers = receivers
        return choice
    }
}

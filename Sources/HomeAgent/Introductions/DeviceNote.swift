import Foundation

/// A message between the agents of two devices of one person, over a hub that both have joined.
enum DeviceNote: Hashable, Sendable, Codable {
    /// Asks the other device for its box, because there is something for it.
    case ask
    /// The sender's box: the public key for what only it may read.
    case present(box: Data)
    /// A ``SealedNote`` for the receiver's box.
    case sealed(key: Data, text: Data)
}

/// What the agents of two devices tell each other without the hub in between being able to read it: which other hubs the
/// person has is none of its business.
enum SealedNote: Hashable, Sendable, Codable {
    /// A hub that the sender has joined.
    struct Hub: Hashable, Sendable, Codable {
        /// The hub's name.
        var name: String
        /// The hub's public key, in base64.
        var key: String
        /// The addresses at which the hub may be.
        var addresses: [String]
        /// The name of the person at the hub.
        var person: String
    }

    /// Introduces a hub. The box is the sender's, for the answer.
    case hub(Hub, box: Data)
    /// Asks to be vouched for at a hub, with the key that the sender has made for it.
    case request(hub: String, key: Data)
    /// The sender has joined the hub already.
    case known(hub: String)
    /// The receiver has been vouched for at a hub, or there is a reason against it.
    case result(hub: String, problem: String?)
}

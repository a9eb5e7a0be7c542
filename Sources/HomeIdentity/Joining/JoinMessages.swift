import Foundation

/// The four messages of joining, each a line of JSON.
enum JoinMessages {
    /// Message 1: the device names an invitation.
    struct Hello: Codable {
        var version: Int
        /// `nil` for the invitation that is open by a code.
        var invitation: InvitationID?
    }

    /// Message 2: the hub's part of the exchange.
    struct Challenge: Codable {
        var salt: Data
        /// B.
        var key: Data
        /// The digest of the hub's share of the check digits, which it tells at the end.
        var commitment: Data
    }

    /// Message 3: the device's proof that it knows the secret, and its request, encrypted.
    struct Answer: Codable {
        /// A.
        var key: Data
        /// M1.
        var proof: Data
        var request: Data
    }

    /// Message 4: the hub's proof and its reply, encrypted.
    struct Result: Codable {
        /// M2.
        var proof: Data
        var reply: Data
    }

    /// Message 2 or 4 if the device doesn't join.
    struct Refusal: Codable {
        var error: JoinFailure.Code
        var message: String
        var triesLeft: Int?
        var retryAfter: Int?
    }

    /// The content of message 4's `reply`.
    struct SealedReply: Codable {
        var reply: JoinReply
        /// The hub's share of the check digits.
        var share: Data
    }

    static func encode(_ message: some Encodable) -> [UInt8] { LineJSON.encode(message) }

    static func decode<Message: Decodable>(_ type: Message.Type, from line: [UInt8]) throws(JoinFailure) -> Message {
        guard line.count <= JoinLimits.maximumMessageBytes, let message = LineJSON.decode(type, from: line) else {
            throw .malformedMessage
        }
        return message
    }

    static func refusal(_ failure: JoinFailure) -> [UInt8] {
        encode(
            Refusal(
                error: failure.code,
                message: failure.message,
                triesLeft: failure.triesLeft,
                retryAfter: failure.retryAfter
            )
        )
    }
}

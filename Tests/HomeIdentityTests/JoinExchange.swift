import Foundation
import HAP
import Testing

@testable import HomeIdentity

/// Both ends of a join, and whoever is between them.
struct JoinExchange {
    static let code = InvitationSecret.code((try? SetupCode("482-11-957")) ?? .random())
    static let wrongCode = InvitationSecret.code((try? SetupCode("482-11-958")) ?? .random())
    static let verifier = JoinVerifier(code)
    static let id = InvitationID(UUID())
    static let hubKey = IdentityKey().publicKey
    static let deviceKey = IdentityKey().publicKey

    /// How an exchange ended.
    enum Outcome: Equatable {
        case joined(JoinReply, device: CheckDigits, hub: CheckDigits)
        case wrongProof
        case hubRefuses(JoinFailure.Code)
        case deviceRefuses(JoinFailure.Code)
    }

    var server = JoinServer(hub: hubKey, device: deviceKey)
    var client: JoinClient
    var invitation = JoinInvitation(id: id, verifier: verifier, comparesDigits: false)

    init(
        secret: InvitationSecret = code,
        hubAsDeviceSees: PublicKey = hubKey,
        deviceAsHubSees: PublicKey = deviceKey,
        name: String = "Pixel 9"
    ) {
        server = JoinServer(hub: Self.hubKey, device: deviceAsHubSees)
        client = JoinClient(
            secret: secret,
            invitation: Self.id,
            request: JoinRequest(name: name),
            hub: hubAsDeviceSees,
            device: Self.deviceKey
        )
    }

    static let reply = JoinReply(
        hubName: "Villa",
        user: UUID(),
        userName: "Ann",
        device: UUID(),
        state: .joined
    )

    /// Runs the exchange.
    ///
    /// - Parameter alter: A closure that can replace a message, by its number.
    mutating func run(alter: (Int, [UInt8]) -> [UInt8] = { $1 }) -> Outcome {
        let digits: CheckDigits
        var line: [UInt8]
        do {
            let hello = try client.hello()
            guard case .hello = try server.receive(alter(1, hello)) else { return .hubRefuses(.internalError) }
            line = alter(2, try server.challenge(for: invitation))
        } catch {
            return .hubRefuses(error.code)
        }
        do {
            guard case .send(let answer) = try client.receive(line) else { return .deviceRefuses(.internalError) }
            line = alter(3, answer)
        } catch {
            return .deviceRefuses(error.code)
        }
        do {
            switch try server.receive(line) {
            case .hello: return .hubRefuses(.internalError)
            case .wrongProof: return .wrongProof
            case .join(_, _, let hubDigits):
                digits = hubDigits
                line = alter(4, try server.reply(Self.reply))
            }
        } catch {
            return .hubRefuses(error.code)
        }
        do {
            guard case .joined(let reply, let deviceDigits) = try client.receive(line) else {
                return .deviceRefuses(.internalError)
            }
            return .joined(reply, device: deviceDigits, hub: digits)
        } catch {
            return .deviceRefuses(error.code)
        }
    }

    /// Runs the exchange up to the device's answer, and returns it.
    mutating func answer() throws -> [UInt8] {
        #expect(try server.receive(try client.hello()) == .hello(Self.id))
        return try #require(try client.receive(try server.challenge(for: invitation)).message)
    }

    /// Returns a message in which one byte of a field was altered.
    static func flip(_ field: String, at offset: Int, in line: [UInt8]) throws -> [UInt8] {
        var object = try #require(try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
        var bytes = try #require((object[field] as? String).flatMap { Data(base64Encoded: $0) })
        bytes[offset] ^= 1
        object[field] = bytes.base64EncodedString()
        return Array(try JSONSerialization.data(withJSONObject: object))
    }

    /// Returns a message with another value of a field.
    static func replace(_ field: String, with value: [UInt8], in line: [UInt8]) throws -> [UInt8] {
        var object = try #require(try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
        object[field] = Data(value).base64EncodedString()
        return Array(try JSONSerialization.data(withJSONObject: object))
    }
}

/// A request of an admin to `POST /pairings`.
public enum PairingsRequest: Hashable, Sendable {
    /// Adds a controller, or changes the permissions of a paired one.
    case add(Pairing)
    /// Removes a controller.
    case remove(PairingID)
    /// Lists the controllers.
    case list
}

extension PairingsRequest {
    /// Decodes the body of a request. If this throws, answer with HTTP 400.
    public init(decoding bytes: some Collection<UInt8>) throws(MalformedMessage) {
        let message: TLV8
        do {
            message = try TLV8(decodingMessage: bytes)
        } catch {
            throw MalformedMessage(error)
        }
        guard message.state == .m1 else { throw MalformedMessage("State of a pairings request is not M1") }
        switch message.method {
        case .addPairing:
            let pairing = try Pairing(message)
            guard !pairing.publicKey.isOfSmallOrder else {
                throw MalformedMessage("PublicKey is a point of small order")
            }
            self = .add(pairing)
        case .removePairing:
            self = .remove(try PairingID(message))
        case .listPairings:
            self = .list
        default:
            throw MalformedMessage("Method is not a pairings method")
        }
    }

    /// The body to post.
    public func encoded() -> [UInt8] {
        var message = TLV8(state: .m1)
        switch self {
        case .add(let pairing):
            message.append(.method, integer: PairingMethod.addPairing.rawValue)
            pairing.append(to: &message)
        case .remove(let id):
            message.append(.method, integer: PairingMethod.removePairing.rawValue)
            message.append(.identifier, id.identifier)
        case .list:
            message.append(.method, integer: PairingMethod.listPairings.rawValue)
        }
        return message.encoded()
    }
}

extension PairingID {
    /// Decodes a message's Identifier.
    fileprivate init(_ message: TLV8) throws(MalformedMessage) {
        guard let id = message[.identifier].flatMap(PairingID.init(identifier:)) else {
            throw MalformedMessage("Identifier is missing or not UTF-8 of 1 to 36 bytes")
        }
        self = id
    }
}

extension Pairing {
    /// Decodes an entry: Identifier, PublicKey and Permissions.
    init(_ message: TLV8) throws(MalformedMessage) {
        let controllerID = try PairingID(message)
        guard let publicKey = message[.publicKey].flatMap(LongTermPublicKey.init) else {
            throw MalformedMessage("PublicKey is missing or has a wrong length")
        }
        guard let bits = (try? message.integer(.permissions)).flatMap({ $0 }).flatMap(UInt8.init(exactly:)),
            let permissions = PairingPermissions(rawValue: bits)
        else { throw MalformedMessage("Permissions are missing or unknown") }
        self.init(controllerID: controllerID, publicKey: publicKey, permissions: permissions)
    }

    /// Appends an entry.
    func append(to message: inout TLV8) {
        message.append(.identifier, controllerID.identifier)
        message.append(.publicKey, publicKey.bytes)
        message.append(.permissions, integer: permissions.rawValue)
    }
}

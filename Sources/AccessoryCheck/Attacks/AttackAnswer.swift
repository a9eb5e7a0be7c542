internal import HAP
internal import HAPCatalog

/// How an accessory answered an attack.
enum AttackAnswer {
    /// With an HTTP response.
    case response(HTTPResponse)
    /// With bytes that are no response in the connection's framing.
    case garbage(String)
    /// It closed the connection.
    case closed
    /// Not at all.
    case silence

    /// Whether the accessory refused the attack, in whatever way.
    var isRefusal: Bool {
        guard case .response(let response) = self else { return true }
        if response.status.rawValue >= 400 { return true }
        if response.body.first == UInt8(ascii: "{") {
            let entries = (try? JSONValue(parsing: response.body))?.object?["characteristics"]?.array ?? []
            return !entries.isEmpty && entries.allSatisfy { ($0.object?["status"]?.integer ?? 0) != 0 }
        }
        return RawMessage.values(response.body)[7] != nil
    }
}

/// The answer with which Apple's open accessory kit, or RFC 9112, refuses an attack. Any refusal protects an accessory;
/// Hearth's own server is held to this one.
enum AttackRefusal {
    /// An HTTP status, and the body if it matters.
    case http(HTTPStatus, text: String? = nil)
    /// A pairing message with an error.
    case pairing(state: UInt8, PairingError)
    /// HTTP 207 with a status for the only entry.
    case entry(CharacteristicID, HAPStatus)

    /// Returns whether an answer is this one.
    func matches(_ answer: AttackAnswer) -> Bool {
        guard case .response(let response) = answer else { return false }
        switch self {
        case .http(let status, let text):
            return response.status == status && (text.map { $0 == response.text } ?? true)
        case .pairing(let state, let error):
            return response.status == .ok
                && response.body == [6, 1, state, 7, 1, UInt8(truncatingIfNeeded: error.rawValue)]
        case .entry(let id, let status):
            let text = #"{"characteristics":[{"aid":\#(id.aid),"iid":\#(id.iid),"status":\#(status.rawValue)}]}"#
            return response.status == .multiStatus && response.text == text
        }
    }
}

import HAP
import HAPCatalog

extension FuzzTarget {
    /// The query of `GET /characteristics`.
    static let queries = FuzzTarget("queries", maximumLength: 256) { input throws(Violation) in
        let query = String(decoding: input, as: UTF8.self)
        guard let request = try? CharacteristicReadRequest(query: query) else { return false }
        let target = HTTPRequest(method: .get, target: request.target)
        let again = try? CharacteristicReadRequest(query: target.query ?? "")
        try hold(again == request, "an encoded query is decoded")
        try hold(target.path == HAPEndpoint.characteristics.path, "the path is the endpoint's path")
        return !request.ids.isEmpty
    }

    /// Strings from users, codes and other programs: every parsed value has one canonical form.
    static let texts = FuzzTarget("texts", maximumLength: 64) { input throws(Violation) in
        let text = String(decoding: input, as: UTF8.self)
        var isKnown = false
        func check<Value: Equatable>(_ read: (String) -> Value?, _ forms: ((Value) -> String)...) throws(Violation) {
            guard let value = read(text) else { return }
            isKnown = true
            try hold(text.utf8.allSatisfy { $0 < 0x80 }, "\(Value.self) is formatted in ASCII")
            for form in forms { try hold(read(form(value)) == value, "\(Value.self) is formatted as it was parsed") }
        }
        try check({ try? SetupCode($0) }, \.dashed)
        try check({ try? SetupPayload($0) }, \.uri)
        try check({ SetupID($0) }, \.description)
        try check({ DeviceID($0) }, \.description)
        try check({ HAPType($0) }, \.shortForm, \.longForm)
        try check({ CharacteristicID($0) }, \.description)
        if let bytes = Base64.decode(text) {
            isKnown = true
            try hold(Base64.encode(bytes) == text, "base64 is canonical")
        }
        if let id = PairingID(text) {
            try hold(PairingID(id.description) == id && (1...36).contains(text.utf8.count), "an identifier is short")
        }
        return isKnown
    }
}

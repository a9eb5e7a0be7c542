import HAP
import HAPCatalog

/// The rules that most accessories don't insist on.
enum Exactness {
    /// Returns why a request isn't exactly as HAP says, or `nil` if it is.
    static func objection(_ request: HTTPRequest) -> String? {
        let headers = request.headers
        if headers.values(of: "Host").count != 1 { return "Not one Host" }
        if headers["Host"]?.isEmpty ?? true { return "An empty Host" }
        switch (request.path, request.method) {
        case ("/pair-setup", .post), ("/pair-verify", .post), ("/pairings", .post):
            return pairingObjection(request)
        case ("/accessories", .get):
            if request.query != nil { return "A query of /accessories" }
            return request.body.isEmpty ? nil : "GET with a body"
        case ("/characteristics", .get):
            if !request.body.isEmpty { return "GET with a body" }
            guard let query = request.query, let read = try? CharacteristicReadRequest(query: query) else {
                return "A query that isn't id=aid.iid,…"
            }
            return Set(read.ids).count == read.ids.count ? nil : "A characteristic is read twice in one request"
        case ("/characteristics", .put), ("/prepare", .put):
            return jsonObjection(request)
        case ("/identify", .post):
            return request.body.isEmpty ? nil : "POST /identify with a body"
        default:
            return "A path or method that HAP doesn't have"
        }
    }

    private static func pairingObjection(_ request: HTTPRequest) -> String? {
        if request.headers["Content-Type"] != HAPContentType.pairing { return "Not \(HAPContentType.pairing)" }
        var rest = request.body[...]
        while let type = rest.popFirst() {
            guard let length = rest.popFirst(), rest.count >= Int(length) else { return "TLV8 that is cut" }
            rest = rest.dropFirst(Int(length))
            // Long values go in fragments of 255 bytes, of which only the last may be shorter.
            if length < 255, rest.first == type { return "Two values of type \(type) without a separator" }
        }
        return nil
    }

    private static func jsonObjection(_ request: HTTPRequest) -> String? {
        if request.headers["Content-Type"] != HAPContentType.json { return "Not \(HAPContentType.json)" }
        guard let object = (try? JSONValue(parsing: request.body))?.object else { return "Not a JSON object" }
        if request.path == "/prepare" {
            return object["ttl"]?.unsignedInteger != nil && object["pid"]?.unsignedInteger != nil
                ? nil : "PUT /prepare without whole numbers ttl and pid"
        }
        guard let entries = object["characteristics"]?.array, !entries.isEmpty else { return "No characteristics" }
        var ids: Set<CharacteristicID> = []
        for entry in entries {
            guard let entry = entry.object, let aid = entry["aid"]?.unsignedInteger,
                let iid = entry["iid"]?.unsignedInteger
            else { return "An entry without whole numbers aid and iid" }
            guard ids.insert(CharacteristicID(aid: aid, iid: iid)).inserted else {
                return "A characteristic is written twice in one request"
            }
            if entry["value"] == nil, entry["ev"] == nil { return "An entry with neither value nor ev" }
        }
        return nil
    }
}

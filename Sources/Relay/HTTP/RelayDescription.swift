import Foundation
import HTTPTypes
import HomeIdentity
import RelayAPI
import WebServer

/// The description of a relay's interface in OpenAPI 3.1. Tests compare it with the routes.
enum RelayDescription {
    /// The document as JSON.
    static let json: String = {
        let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes]
        let data = (try? JSONSerialization.data(withJSONObject: document, options: options)) ?? Data()
        return String(decoding: data, as: UTF8.self)
    }()

    private static var document: [String: Any] {
        [
            "openapi": "3.1.0",
            "info": [
                "title": "Hearth relay", "version": "1",
                "description": "What hubs leave for the devices of their homes. Documentation/Relay.md explains it.",
            ],
            "paths": Dictionary(
                uniqueKeysWithValues: RelayRoute.Kind.allCases.map { ($0.pattern, item(of: $0)) }
            ),
            "components": [
                "securitySchemes": ["session": ["type": "http", "scheme": "bearer"]],
                "schemas": schemas,
                "responses": [
                    "Error": [
                        "description": "The request failed. “error” is for programs.",
                        "content": ["application/json": ["schema": reference("Error")]],
                    ]
                ],
            ],
            "security": [["session": [String]()]],
        ]
    }

    // MARK: Paths

    private static func item(of kind: RelayRoute.Kind) -> [String: Any] {
        var item: [String: Any] = [:]
        let parameters = pathParameters(of: kind)
        if !parameters.isEmpty { item["parameters"] = parameters }
        for method in kind.methods { item[method.rawValue.lowercased()] = operation(of: kind, method) }
        return item
    }

    private static func pathParameters(of kind: RelayRoute.Kind) -> [[String: Any]] {
        let all: [(String, String, [String: Any])] = [
            ("house", "The house.", hex(HouseID.byteCount)), ("feed", "The feed.", hex(FeedID.byteCount)),
            ("generation", "The generation of the key.", number), ("stream", "The stream.", uuid),
        ]
        return all.filter { kind.pattern.contains("{\($0.0)}") }.map { name, text, schema in
            ["name": name, "in": "path", "required": true, "description": text, "schema": schema]
        }
    }

    private static func operation(of kind: RelayRoute.Kind, _ method: HTTPRequest.Method) -> [String: Any] {
        switch (kind, method) {
        case (.health, _):
            isPublic(operation("Tell whether the relay works", json(object(["status": ["type": "string"]]))))
        case (.description, _): isPublic(operation("Describe the interface", json(["type": "object"])))
        case (.session, _):
            isPublic(operation("Exchange a proof for a token", json(reference("Session")), body: reference("Proof")))
        case (.house, _):
            operation(
                "Register a house, or replace its owners",
                nil,
                body: reference("Registration"),
                parameters: [header(HouseEndpoint.registration, "A registration token, for a new house.")],
                creates: true
            )
        case (.append, _):
            operation("Append entries", json(reference("AppendReply")), body: binary, type: HTTPAnswer.binaryType)
        case (.vault, .put):
            operation(
                "Store a piece of the vault",
                nil,
                body: binary,
                type: HTTPAnswer.binaryType,
                parameters: [query("version", true), query("piece", true), query("of", true)]
            )
        case (.vault, .delete): operation("Remove all versions of the vault", nil)
        case (.vault, _):
            operation(
                "Get the versions of the vault, or a piece",
                json(reference("Vault")).merging(bytes) { first, _ in first },
                parameters: [query("version"), query("piece")]
            )
        case (.votes, _):
            operation(
                "Ask the relay for a vote, or give it a leader's batches, as one of a house's two hubs",
                bytes,
                body: binary,
                type: HTTPAnswer.binaryType,
                parameters: [query("hub", true, schema: uuid), query("pair", true)]
            )
        case (.base, .put):
            operation(
                "Store a piece of the state of a house's two hubs",
                nil,
                body: binary,
                type: HTTPAnswer.binaryType,
                parameters: ["pair", "lead", "place", "term", "piece", "of"].map { query($0, true) }
            )
        case (.base, _):
            operation(
                "Get where the state of a house's two hubs ends, or a piece of it",
                json(reference("Base")).merging(bytes) { first, _ in first },
                parameters: [query("place"), query("term"), query("piece")]
            )
        case (.live, _):
            operation(
                "Follow changes and pipes, in frames. The header \(LiveEndpoint.streamHeader) names the stream",
                bytes,
                parameters: [
                    query("feed", schema: hex(FeedID.byteCount)), query("pipes", schema: range(0, 1)),
                    query("door", schema: range(0, 1)),
                ]
            )
        case (.frames, _):
            operation(
                "Send frames up a stream",
                nil,
                body: binary,
                type: HTTPAnswer.binaryType,
                parameters: [
                    header(
                        LiveEndpoint.order,
                        "The number of the request: 1, 2, 3 and so on.",
                        number,
                        isRequired: true
                    )
                ]
            )
        case (.feed, .put): operation("Make a feed", nil, creates: true)
        case (.feed, .delete): operation("End a feed", nil)
        case (.feed, _): operation("Get where a feed stands", json(reference("Status")))
        case (.readers, _): operation("Replace the readers", nil, body: reference("Readers"))
        case (.entries, _):
            operation(
                "Read entries, and wait for them",
                bytes,
                parameters: [
                    query("after", true), query("limit", schema: range(1, RelayLimits.entriesPerPage)),
                    query("wait", schema: range(0, RelayLimits.waitSeconds)),
                ]
            )
        case (.keys, .put):
            operation(
                "Store an envelope",
                nil,
                body: binary,
                type: HTTPAnswer.binaryType,
                parameters: [query("to", true, schema: uuid)]
            )
        case (.keys, _): operation("Get an envelope", bytes, parameters: [query("to", true, schema: uuid)])
        case (.beat, _): operation("Store the beat", nil, body: binary, type: HTTPAnswer.binaryType)
        }
    }

    /// Returns an operation.
    ///
    /// - Parameters:
    ///   - content: The content of the response; `nil` for none.
    ///   - creates: Whether something new is answered differently.
    private static func operation(
        _ summary: String,
        _ content: [String: Any]?,
        body: [String: Any]? = nil,
        type: String = "application/json",
        parameters: [[String: Any]] = [],
        creates: Bool = false
    ) -> [String: Any] {
        var responses: [String: Any] = ["default": ["$ref": "#/components/responses/Error"]]
        if let content {
            responses["200"] = ["description": "Done.", "content": content]
        } else {
            responses["204"] = ["description": "Done."]
        }
        if creates { responses["201"] = ["description": "Made."] }
        var operation: [String: Any] = ["summary": summary, "responses": responses]
        if let body { operation["requestBody"] = ["required": true, "content": [type: ["schema": body]]] }
        if !parameters.isEmpty { operation["parameters"] = parameters }
        return operation
    }

    private static func isPublic(_ operation: [String: Any]) -> [String: Any] {
        operation.merging(["security": [[String: Any]]()]) { _, new in new }
    }

    private static func query(
        _ name: String,
        _ isRequired: Bool = false,
        schema: [String: Any] = number
    ) -> [String: Any] {
        ["name": name, "in": "query", "required": isRequired, "schema": schema]
    }

    private static func header(
        _ name: String,
        _ text: String,
        _ schema: [String: Any] = ["type": "string"],
        isRequired: Bool = false
    ) -> [String: Any] {
        ["name": name, "in": "header", "required": isRequired, "description": text, "schema": schema]
    }

    // MARK: Schemas

    private static var schemas: [String: Any] {
        let position: [String: Any] = [
            "seq": number, "head": hex(EntryDigest.byteCount), "base": number, "term": number,
        ]
        let error = position.merging(
            [
                "error": ["type": "string"], "message": ["type": "string"], "retryAfter": number, "time": number,
                "at": ["type": "string"],
            ]
        ) { first, _ in first }
        return [
            "Error": object(error, required: ["error", "message"]),
            "Proof": object(["key": base64, "time": number, "nonce": base64, "signature": base64]),
            "Session": object(["token": ["type": "string"], "expires": number]),
            "Registration": object([
                "owners": ["type": "array", "items": base64, "minItems": 1, "maxItems": RelayLimits.ownersPerHouse]
            ]),
            "Readers": object([
                "seq": number,
                "readers": [
                    "type": "array",
                    "items": object(["key": base64, "rights": ["type": "string", "pattern": "^[rpmv]{0,4}$"]]),
                ],
            ]),
            "Status": object(
                [
                    "seq": number, "head": hex(EntryDigest.byteCount), "gen": number, "base": number, "beat": base64,
                    "expires": number,
                ],
                required: ["seq", "head", "gen", "base"]
            ),
            "AppendReply": object([
                "results": ["type": "array", "items": object(error, required: [])]
            ]),
            "Base": object(["place": number, "term": number, "pieces": number]),
            "Vault": object([
                "versions": [
                    "type": "array",
                    "items": object(["version": number, "pieces": number, "complete": ["type": "boolean"]]),
                ]
            ]),
        ]
    }

    private static func object(_ properties: [String: Any], required: [String]? = nil) -> [String: Any] {
        [
            "type": "object", "properties": properties, "required": required ?? properties.keys.sorted(),
        ]
    }

    private static func reference(_ name: String) -> [String: Any] { ["$ref": "#/components/schemas/\(name)"] }

    private static func json(_ schema: [String: Any]) -> [String: Any] { ["application/json": ["schema": schema]] }

    private static var bytes: [String: Any] { [HTTPAnswer.binaryType: ["schema": binary]] }

    private static func hex(_ byteCount: Int) -> [String: Any] {
        ["type": "string", "pattern": "^[0-9a-f]{\(2 * byteCount)}$"]
    }

    private static func range(_ low: Int, _ high: Int) -> [String: Any] {
        ["type": "integer", "minimum": low, "maximum": high]
    }

    private static var number: [String: Any] {
        ["type": "integer", "format": "int64", "minimum": 0, "maximum": RelayLimits.maximumNumber - 1]
    }
    private static var binary: [String: Any] { ["type": "string", "format": "binary"] }
    private static var base64: [String: Any] { ["type": "string", "contentEncoding": "base64"] }
    private static var uuid: [String: Any] { ["type": "string", "format": "uuid"] }
}

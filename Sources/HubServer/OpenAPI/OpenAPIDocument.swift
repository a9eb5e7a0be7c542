import Foundation
import HomeHub
import HubAPI
import LocalRPC

/// The description of the HTTP interface in OpenAPI 3.1, made from the table of methods.
enum OpenAPIDocument {
    /// Returns the document as JSON.
    ///
    /// - Parameter methods: The hub's methods, without `session.hello`.
    static func json(of methods: [MethodDescription]) throws -> Data {
        var paths: [String: Any] = [
            "/login": post(
                "Sign a device in with a code",
                id: "login",
                body: JSONSchema(of: SignInBody.self),
                reply: JSONSchema(of: SignInReply.self),
                isPublic: true
            ),
            "/renew": post(
                "Exchange a credential for a token and a new credential",
                id: "renew",
                body: JSONSchema(of: RenewalBody.self),
                reply: JSONSchema(of: SignInReply.self),
                isPublic: true
            ),
            "/logout": post("Sign the device out", id: "logout", body: .object([]), reply: .object([])),
            "/api/events": stream,
        ]
        for method in methods {
            let reply = JSONSchema.object([
                JSONSchema.Member(name: "result", schema: JSONSchema(of: method.result), isRequired: true),
                JSONSchema.Member(name: "after", schema: .scalar("integer", format: "int64"), isRequired: false),
                JSONSchema.Member(name: "follows", schema: JSONSchema(of: [LogPlace].self), isRequired: false),
            ])
            var path = post(method.name, id: method.name, body: JSONSchema(of: method.parameters), reply: reply)
            path["parameters"] = [
                header("Hearth-Stream", "The connection that the request belongs to.", format: "uuid"),
                header("Hearth-Key", "Identifies the request, so that a retry is carried out once.", format: "uuid"),
            ]
            paths["/api/\(method.name)"] = path
        }
        let document: [String: Any] = [
            "openapi": "3.1.0",
            "info": [
                "title": "Hearth",
                "version": "\(HubProtocol.version)",
                "description": "The methods of a Hearth hub. Documentation/HTTP.md and HubProtocol.md explain them.",
            ],
            "paths": paths,
            "components": [
                "securitySchemes": ["token": ["type": "http", "scheme": "bearer"]],
                "schemas": ["Error": error.json],
                "responses": [
                    "Error": [
                        "description": "The request failed, and nothing has changed. “code” is for programs.",
                        "content": ["application/json": ["schema": ["$ref": "#/components/schemas/Error"]]],
                    ]
                ],
            ],
            "security": [["token": [String]()]],
        ]
        return try JSONSerialization.data(withJSONObject: document, options: [.sortedKeys, .withoutEscapingSlashes])
    }

    private static let error = JSONSchema.object([
        JSONSchema.Member(
            name: "error",
            schema: .object([
                JSONSchema.Member(name: "code", schema: .scalar("string"), isRequired: true),
                JSONSchema.Member(name: "message", schema: .scalar("string"), isRequired: true),
                JSONSchema.Member(name: "data", schema: JSONSchema(of: RPCErrorDetails.self), isRequired: false),
            ]),
            isRequired: true
        ),
        JSONSchema.Member(name: "after", schema: .scalar("integer", format: "int64"), isRequired: false),
    ])

    private static func post(
        _ summary: String,
        id: String,
        body: JSONSchema,
        reply: JSONSchema,
        isPublic: Bool = false
    ) -> [String: Any] {
        var operation: [String: Any] = [
            "operationId": id,
            "summary": summary,
            "tags": [String(id.prefix { $0 != "." })],
            "requestBody": ["required": true, "content": ["application/json": ["schema": body.json]]],
            "responses": [
                "200": ["description": "Done.", "content": ["application/json": ["schema": reply.json]]],
                "default": ["$ref": "#/components/responses/Error"],
            ],
        ]
        if isPublic { operation["security"] = [[String: Any]]() }
        return ["post": operation]
    }

    private static func header(_ name: String, _ text: String, format: String) -> [String: Any] {
        [
            "name": name, "in": "header", "required": false, "description": text,
            "schema": ["type": "string", "format": format],
        ]
    }

    /// The path of the stream.
    private static var stream: [String: Any] {
        var path = post("Follow events", id: "events", body: JSONSchema(of: StreamRequest.self), reply: .any)
        var operation = path["post"] as? [String: Any]
        operation?["responses"] = [
            "200": [
                "description": "A stream of events, which doesn't end.",
                "content": ["text/event-stream": ["schema": ["type": "string"]]],
            ],
            "default": ["$ref": "#/components/responses/Error"],
        ]
        path["post"] = operation
        path["parameters"] = [
            header("Hearth-Stream", "The connection to continue.", format: "uuid"),
            [
                "name": "Last-Event-ID", "in": "header", "required": false,
                "description": "The ID of the last event that the client has.", "schema": ["type": "string"],
            ],
        ]
        return path
    }
}

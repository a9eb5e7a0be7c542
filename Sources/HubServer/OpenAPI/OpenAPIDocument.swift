import Foundation
import HomeHub
import HomeModel
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
            "/export": export,
            "/import": importing,
            "/backup": backup,
        ]
        paths.merge(files) { first, _ in first }
        for method in methods {
            var path = post(
                method.name,
                id: method.name,
                body: JSONSchema(of: method.parameters),
                reply: reply(method.result)
            )
            path["parameters"] = [
                header("Hearth-Stream", "The connection that the request belongs to.", format: "uuid"), key,
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

    /// The header field for retries.
    private static var key: [String: Any] {
        header("Hearth-Key", "Identifies the request, so that a retry is carried out once.", format: "uuid")
    }

    /// Returns the schema of a method's reply.
    private static func reply(_ result: any Decodable.Type) -> JSONSchema {
        .object([
            JSONSchema.Member(name: "result", schema: JSONSchema(of: result), isRequired: true),
            JSONSchema.Member(name: "after", schema: .scalar("integer", format: "int64"), isRequired: false),
            JSONSchema.Member(name: "follows", schema: JSONSchema(of: [LogPlace].self), isRequired: false),
        ])
    }

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

    /// Returns a `POST` operation with another request or response than JSON.
    ///
    /// - Parameters:
    ///   - request: The media type of the body, if it isn't JSON.
    ///   - response: The media type of the response, if it isn't JSON.
    private static func file(
        _ summary: String,
        id: String,
        body: JSONSchema,
        reply: JSONSchema,
        request: String? = nil,
        response: (type: String, description: String)? = nil,
        parameters: [[String: Any]] = []
    ) -> [String: Any] {
        var path = post(summary, id: id, body: body, reply: reply)
        var operation = path["post"] as? [String: Any] ?? [:]
        if let request { operation["requestBody"] = ["required": true, "content": [request: ["schema": body.json]]] }
        if let response {
            operation["responses"] = [
                "200": [
                    "description": response.description, "content": [response.type: ["schema": reply.json]],
                ],
                "default": ["$ref": "#/components/responses/Error"],
            ]
        }
        if !parameters.isEmpty { operation["parameters"] = parameters }
        path["post"] = operation
        // The page has paths of the same names.
        path.merge(get("Show the page", id: "\(id).page", "text/html", .scalar("string"))) { first, _ in first }
        return path
    }

    private static var export: [String: Any] {
        file(
            "Download homes as an export",
            id: "export",
            body: JSONSchema(of: ExportBody.self),
            reply: .scalar("string"),
            response: (FileEndpoint.exportType, "The export, a JSON text per line.")
        )
    }

    private static var importing: [String: Any] {
        file(
            "Import homes from an export",
            id: "import",
            body: .scalar("string"),
            reply: reply(ImportReport.self),
            request: FileEndpoint.exportType,
            parameters: [
                query("home", "The name of the home in the export to import; all of them by default.", "string"),
                query("dryRun", "Whether to report the changes without making them.", "boolean"),
                key,
            ]
        )
    }

    private static var backup: [String: Any] {
        file(
            "Download a backup",
            id: "backup",
            body: JSONSchema(of: CreateBackup.self),
            reply: .scalar("string", format: "binary"),
            response: (FileEndpoint.backupType, "The backup, encrypted with the passphrase.")
        )
    }

    private static func query(_ name: String, _ text: String, _ type: String) -> [String: Any] {
        ["name": name, "in": "query", "required": false, "description": text, "schema": ["type": type]]
    }

    /// The paths that anybody can get.
    private static var files: [String: Any] {
        [
            "/api": get("Describe the interface", id: "describe", "application/json", .dictionary(.any)),
            TrustEndpoint.path: get("Show how to trust the hub", id: "trust", "text/html", .scalar("string")),
            TrustEndpoint.certificatePath: get(
                "Download the certificate of the hub's authority",
                id: "trust.certificate",
                TrustEndpoint.certificateType,
                .scalar("string", format: "binary"),
                mayBeMissing: true
            ),
            TrustEndpoint.descriptionPath: get(
                "Describe the hub's authority",
                id: "trust.describe",
                "application/json",
                JSONSchema(of: TrustReply.self),
                mayBeMissing: true
            ),
        ]
    }

    private static func get(
        _ summary: String,
        id: String,
        _ type: String,
        _ schema: JSONSchema,
        mayBeMissing: Bool = false
    ) -> [String: Any] {
        var responses: [String: Any] = [
            "200": ["description": "The content.", "content": [type: ["schema": schema.json]]],
            "default": ["$ref": "#/components/responses/Error"],
        ]
        if mayBeMissing {
            responses["404"] = [
                "description": "The hub has no authority of its own.",
                "content": ["text/plain": ["schema": ["type": "string"]]],
            ]
        }
        let operation: [String: Any] = [
            "operationId": id, "summary": summary, "tags": [String(id.prefix { $0 != "." })],
            "security": [[String: Any]](), "responses": responses,
        ]
        return ["get": operation]
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

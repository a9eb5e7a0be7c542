import Foundation
import HAP

/// The server's end of an assistant's connection: JSON-RPC 2.0, as the Model Context Protocol uses it.
///
/// It does no I/O. ``receive(_:)`` turns a message into steps, and ``finish(_:with:)`` turns the outcome of a step into the
/// reply. A client of the revisions up to 2025-11-25 calls `initialize` first; one of 2026-07-28 identifies itself in each
/// request.
package struct MCPSession: Sendable {
    /// The ID of a request.
    package enum RequestID: Hashable, Sendable {
        case text(String)
        case number(Int64)
    }

    /// A step to take.
    package enum Step: Hashable, Sendable {
        /// Send a message.
        case send([UInt8])
        /// Do work for a request, and pass the outcome to ``MCPSession/finish(_:with:)``.
        case work(RequestID, MCPWork, assistant: String)
        /// Stop the work for a request. There is no reply to it.
        case cancel(RequestID)
    }

    /// The revisions whose clients call `initialize`, the latest last.
    package static let handshakeVersions = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]
    /// The revisions whose clients identify themselves in each request.
    package static let statelessVersions = ["2026-07-28"]
    static let versionKey = "io.modelcontextprotocol/protocolVersion"
    private static let clientKey = "io.modelcontextprotocol/clientInfo"
    private static let serverKey = "io.modelcontextprotocol/serverInfo"
    private static let unsupportedVersion = -32_022
    /// The name of an assistant that doesn't tell one.
    package static let unnamed = "unnamed assistant"

    private struct Active {
        /// Whether the request is of a revision without `initialize`.
        var isStateless: Bool
    }

    private let info: MCPServerInfo
    private let limits: MCPLimits
    /// The assistant's name; `nil` before `initialize`.
    private var assistant: String?
    private var active: [RequestID: Active] = [:]

    /// Creates the end of a new connection.
    ///
    /// - Parameter assistant: The assistant's name, if an earlier connection called `initialize`.
    package init(_ info: MCPServerInfo, limits: MCPLimits = MCPLimits(), assistant: String? = nil) {
        self.info = info
        self.limits = limits
        self.assistant = assistant
    }

    /// The number of requests without a reply.
    package var activeRequests: Int { active.count }
    /// The name that the assistant told with `initialize`; `nil` before.
    package var assistantName: String? { assistant }

    // MARK: Receiving

    /// Handles an element of the stream.
    package mutating func receive(_ element: MCPReader.Element) -> [Step] {
        switch element {
        case .line(let line): return receive(line)
        case .tooLong:
            let reason = "A message can have at most \(limits.messageBytes) bytes."
            return [.send(Self.failure(nil, .invalidRequest(reason)))]
        }
    }

    /// Handles a message.
    package mutating func receive(_ message: [UInt8]) -> [Step] {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONValue(parsing: message)
        } catch {
            return [.send(Self.failure(nil, .notJSON("\(error)")))]
        }
        guard let object = value.object else {
            return [
                .send(Self.failure(nil, .invalidRequest("A message is one JSON object. Batches aren't supported.")))
            ]
        }
        guard object["jsonrpc"] == .string("2.0") else {
            return [.send(Self.failure(nil, .invalidRequest("“jsonrpc” must be “2.0”.")))]
        }
        guard let method = object["method"]?.string else {
            // The server sends no requests, so a response answers none.
            if object["result"] != nil || object["error"] != nil { return [] }
            return [.send(Self.failure(nil, .invalidRequest("The message has no method.")))]
        }
        let parameters: JSONObject
        switch object["params"] {
        case nil: parameters = JSONObject()
        case .object(let object)?: parameters = object
        case .some:
            return object["id"] == nil
                ? [] : [.send(Self.failure(nil, .invalidParameters("“params” must be an object.")))]
        }
        guard let id = object["id"] else { return notify(method, parameters) }
        guard let id = requestID(id) else {
            let reason = "“id” must be a whole number, or a string of at most \(limits.idBytes) bytes."
            return [.send(Self.failure(nil, .invalidRequest(reason)))]
        }
        do throws(MCPError) {
            return [try request(id, method, parameters)]
        } catch {
            return [.send(Self.failure(id, error))]
        }
    }

    private func requestID(_ value: JSONValue) -> RequestID? {
        switch value {
        case .string(let text) where text.utf8.count <= limits.idBytes: .text(text)
        case .integer(let number): .number(number)
        default: nil
        }
    }

    private mutating func notify(_ method: String, _ parameters: JSONObject) -> [Step] {
        guard method == "notifications/cancelled", let id = parameters["requestId"].flatMap(requestID),
            active.removeValue(forKey: id) != nil
        else { return [] }
        return [.cancel(id)]
    }

    private mutating func request(
        _ id: RequestID,
        _ method: String,
        _ parameters: JSONObject
    ) throws(MCPError) -> Step {
        guard active[id] == nil else { throw .invalidRequest("Another request with this ID has no reply yet.") }
        if method == "initialize" { return try initialize(id, parameters) }
        let meta = parameters["_meta"]?.object
        let version = meta?[Self.versionKey]?.string
        if let version, !Self.statelessVersions.contains(version) { return .send(unsupported(version, id)) }
        let isStateless = version != nil
        switch method {
        case "ping":
            return .send(reply(id, isStateless: isStateless) { _ in })
        case "server/discover":
            return .send(discovery(id))
        default: break
        }
        let name = isStateless ? self.name(in: meta?[Self.clientKey]) : assistant
        guard let name else { throw .invalidRequest("Call initialize first.") }
        let work: MCPWork
        switch method {
        case "tools/list":
            return .send(reply(id, isStateless: isStateless, isCacheable: true, toolList))
        case "tools/call":
            do throws(MCPArguments.Mismatch) {
                work = try toolCall(parameters)
            } catch {
                // An assistant can correct its call only if it sees why it failed.
                return .send(result(id, .failure(error.reason), isStateless: isStateless))
            }
            if case .call("", _) = work {
                let name = parameters["name"]?.string ?? ""
                throw .invalidParameters("There is no tool “\(name.prefix(80))”.")
            }
        case "resources/list":
            work = .listResources
        case "resources/templates/list":
            return .send(
                reply(id, isStateless: isStateless, isCacheable: true) { writer in
                    writer.key("resourceTemplates")
                    writer.array { _ in }
                }
            )
        case "resources/read":
            guard let uri = parameters["uri"]?.string else { throw .invalidParameters("“uri” is missing.") }
            work = .readResource(uri: uri)
        default:
            throw .unknownMethod(method)
        }
        guard active.count < limits.requests else {
            throw .failed("There are \(limits.requests) requests without a reply. Wait for replies.")
        }
        active[id] = Active(isStateless: isStateless)
        return .work(id, work, assistant: name)
    }

    /// Returns a tool's call; one of a tool without a name if there is no such tool.
    private func toolCall(_ parameters: JSONObject) throws(MCPArguments.Mismatch) -> MCPWork {
        let object: JSONObject
        switch parameters["arguments"] {
        case nil, .null?: object = JSONObject()
        case .object(let arguments)?: object = arguments
        case .some: throw MCPArguments.Mismatch(reason: "“arguments” must be an object.")
        }
        guard let tool = info.tools.first(where: { $0.name == parameters["name"]?.string }) else {
            let none = MCPTool("", title: "", "", [])
            return .call(tool: "", try MCPArguments(JSONObject(), for: none))
        }
        return .call(tool: tool.name, try MCPArguments(object, for: tool))
    }

    // MARK: Introductions

    private mutating func initialize(_ id: RequestID, _ parameters: JSONObject) throws(MCPError) -> Step {
        guard assistant == nil else { throw .invalidRequest("This connection has already called initialize.") }
        guard let requested = parameters["protocolVersion"]?.string else {
            throw .invalidParameters("“protocolVersion” is missing.")
        }
        assistant = name(in: parameters["clientInfo"])
        // A client that doesn't know the latest revision either disconnects.
        let version = Self.handshakeVersions.contains(requested) ? requested : Self.handshakeVersions.last ?? requested
        return .send(
            reply(id, isStateless: false) { writer in
                writer.member("protocolVersion", version)
                writeCapabilities(&writer)
                writer.key("serverInfo")
                writeServer(&writer)
                writer.member("instructions", info.instructions)
            }
        )
    }

    private func discovery(_ id: RequestID) -> [UInt8] {
        reply(id, isStateless: true, isCacheable: true) { writer in
            writer.key("supportedVersions")
            writer.array { writer in
                for version in Self.statelessVersions + Self.handshakeVersions.reversed() { writer.write(version) }
            }
            writeCapabilities(&writer)
            writer.member("instructions", info.instructions)
        }
    }

    private func unsupported(_ version: String, _ id: RequestID) -> [UInt8] {
        Self.message { writer in
            Self.write(id, to: &writer)
            writer.key("error")
            writer.object { writer in
                writer.member("code", Self.unsupportedVersion)
                writer.member("message", "This server doesn't support the revision “\(version.prefix(40))”.")
                writer.key("data")
                writer.object { writer in
                    writer.member("requested", version)
                    writer.key("supported")
                    writer.array { writer in
                        for version in Self.statelessVersions + Self.handshakeVersions { writer.write(version) }
                    }
                }
            }
        }
    }

    /// Returns the name of an assistant without control characters, so that it can stand in sentences.
    private func name(in info: JSONValue?) -> String {
        let object = info?.object
        let name = object?["name"]?.string ?? ""
        let plain = name.unicodeScalars.filter { scalar in
            ![.control, .format, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
        }
        let text = String(String.UnicodeScalarView(plain)).trimmingCharacters(in: .whitespaces)
        return text.isEmpty ? Self.unnamed : String(text.prefix(limits.nameLength))
    }

    private func writeCapabilities(_ writer: inout JSONWriter) {
        writer.key("capabilities")
        writer.object { writer in
            for capability in ["tools", "resources"] {
                writer.key(capability)
                writer.object { $0.member("listChanged", false) }
            }
        }
    }

    private func writeServer(_ writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("name", info.name)
            writer.member("title", info.title)
            writer.member("version", info.version)
        }
    }

    private func toolList(_ writer: inout JSONWriter) {
        writer.key("tools")
        writer.array { writer in
            for tool in info.tools { tool.write(to: &writer) }
        }
    }

    // MARK: Replies

    /// Returns a transport's reply to a message that it doesn't accept.
    package static func refusal(_ error: MCPError) -> [UInt8] { failure(nil, error) }

    /// Returns the reply to a request whose work is done; `nil` if it was canceled.
    package mutating func finish(_ id: RequestID, with outcome: MCPOutcome) -> [UInt8]? {
        guard let request = active.removeValue(forKey: id) else { return nil }
        return result(id, outcome, isStateless: request.isStateless)
    }

    private func result(_ id: RequestID, _ outcome: MCPOutcome, isStateless: Bool) -> [UInt8] {
        switch outcome {
        case .text(let text), .failure(let text):
            return reply(id, isStateless: isStateless) { writer in
                writer.key("content")
                writer.array { writer in
                    writer.object { writer in
                        writer.member("type", "text")
                        writer.member("text", text)
                    }
                }
                if case .failure = outcome { writer.member("isError", true) } else { writer.member("isError", false) }
            }
        case .resources(let resources):
            return reply(id, isStateless: isStateless, isCacheable: true) { writer in
                writer.key("resources")
                writer.array { writer in
                    for resource in resources {
                        writer.object { writer in
                            writer.member("uri", resource.uri)
                            writer.member("name", resource.name)
                            writer.member("description", resource.description)
                            writer.member("mimeType", MCPResource.type)
                        }
                    }
                }
            }
        case .contents(let uri, let text):
            return reply(id, isStateless: isStateless, isCacheable: true) { writer in
                writer.key("contents")
                writer.array { writer in
                    writer.object { writer in
                        writer.member("uri", uri)
                        writer.member("mimeType", MCPResource.type)
                        writer.member("text", text)
                    }
                }
            }
        case .error(let error):
            return Self.failure(id, error)
        }
    }

    private func reply(
        _ id: RequestID,
        isStateless: Bool,
        isCacheable: Bool = false,
        _ result: (inout JSONWriter) -> Void
    ) -> [UInt8] {
        Self.message { writer in
            Self.write(id, to: &writer)
            writer.key("result")
            writer.object { writer in
                result(&writer)
                guard isStateless else { return }
                writer.member("resultType", "complete")
                if isCacheable {
                    writer.member("ttlMs", 0)
                    writer.member("cacheScope", "private")
                }
                writer.key("_meta")
                writer.object { writer in
                    writer.key(Self.serverKey)
                    writeServer(&writer)
                }
            }
        }
    }

    private static func failure(_ id: RequestID?, _ error: MCPError) -> [UInt8] {
        message { writer in
            if let id {
                write(id, to: &writer)
            } else {
                writer.key("id")
                writer.writeNull()
            }
            writer.key("error")
            writer.object { writer in
                writer.member("code", error.code)
                writer.member("message", error.message)
            }
        }
    }

    private static func write(_ id: RequestID, to writer: inout JSONWriter) {
        switch id {
        case .text(let text): writer.member("id", text)
        case .number(let number): writer.member("id", number)
        }
    }

    /// Returns a message without a line end.
    private static func message(_ members: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("jsonrpc", "2.0")
            members(&writer)
        }
        return writer.bytes
    }
}

extension MCPTool {
    /// Writes the tool as `tools/list` describes it.
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("name", name)
            writer.member("title", title)
            writer.member("description", description)
            writer.key("inputSchema")
            writer.object { writer in
                writer.member("type", "object")
                writer.key("properties")
                writer.object { writer in
                    for parameter in parameters {
                        writer.key(parameter.name)
                        writer.object { writer in
                            if parameter.kind == .scalar {
                                writer.key("type")
                                writer.array { writer in
                                    for type in ["string", "number", "boolean"] { writer.write(type) }
                                }
                            } else {
                                writer.member("type", parameter.kind.rawValue)
                            }
                            writer.member("description", parameter.description)
                        }
                    }
                }
                writer.key("required")
                writer.array { writer in
                    for parameter in parameters where parameter.isRequired { writer.write(parameter.name) }
                }
                writer.member("additionalProperties", false)
            }
            writer.key("annotations")
            writer.object { writer in
                writer.member("title", title)
                writer.member("readOnlyHint", isReadOnly)
                writer.member("destructiveHint", isDestructive)
                writer.member("idempotentHint", false)
                writer.member("openWorldHint", false)
            }
        }
    }
}

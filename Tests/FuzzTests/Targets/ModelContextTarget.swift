import HAP
import ModelContext

extension FuzzTarget {
    /// The messages of AI assistants.
    static let modelContext = FuzzTarget("model-context", maximumLength: 1_024) { input throws(Violation) in
        var small = MCPLimits()
        (small.messageBytes, small.requests, small.idBytes) = (96, 2, 8)
        var isKnown = false
        for limits in [MCPLimits(), small] {
            let whole = try read([input[...]], limits)
            for pieces in StreamSplits.of(input) {
                try hold(try read(pieces, limits) == whole, "splitting makes no difference")
            }
            isKnown = isKnown || whole.contains { $0["result"] != nil }
        }
        return isKnown
    }

    private static let info = MCPServerInfo(
        name: "fuzz",
        title: "Fuzz",
        version: "1",
        instructions: "",
        tools: [MCPTool("t", title: "T", "", [.init("a", .string, "", isRequired: true), .init("b", .scalar, "")])]
    )

    /// Returns the messages that are sent.
    private static func read(
        _ pieces: [ArraySlice<UInt8>],
        _ limits: MCPLimits
    ) throws(Violation) -> [JSONObject] {
        var reader = MCPReader(limit: limits.messageBytes)
        var session = MCPSession(info, limits: limits)
        var sent: [JSONObject] = []
        for piece in pieces {
            let elements = reader.decode(Array(piece))
            try hold(reader.storedBytes <= limits.messageBytes, "what is stored is limited")
            for element in elements {
                let steps = session.receive(element)
                try hold(steps.count <= 1, "a message has one reply at most")
                for step in steps {
                    switch step {
                    case .send(let bytes):
                        sent.append(try message(bytes))
                    case .work(let id, _, let assistant):
                        try hold(!assistant.isEmpty && assistant.count <= limits.nameLength, "an assistant has a name")
                        try hold(session.activeRequests <= limits.requests, "requests are limited")
                        if let reply = session.finish(id, with: .text(assistant)) { sent.append(try message(reply)) }
                    case .cancel:
                        break
                    }
                }
            }
        }
        return sent
    }

    private static func message(_ bytes: [UInt8]) throws(Violation) -> JSONObject {
        try hold(!bytes.contains(UInt8(ascii: "\n")), "a message is one line")
        guard let object = (try? JSONValue(parsing: bytes))?.object else {
            throw Violation(description: "a message is JSON")
        }
        try hold(object["jsonrpc"] == .string("2.0"), "a message is JSON-RPC")
        return object
    }
}

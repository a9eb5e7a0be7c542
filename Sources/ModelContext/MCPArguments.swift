import Foundation
import HAP

/// The arguments of a tool's call, checked against the tool's parameters.
package struct MCPArguments: Hashable, Sendable {
    private var values: [String: JSONValue] = [:]

    /// A reason why arguments don't fit, for the assistant.
    struct Mismatch: Error, Hashable {
        var reason: String
    }

    /// Checks arguments.
    init(_ object: JSONObject, for tool: MCPTool) throws(Mismatch) {
        for member in object {
            guard let parameter = tool.parameters.first(where: { $0.name == member.name }) else {
                let known = tool.parameters.map(\.name).joined(separator: ", ")
                let name = member.name.prefix(40)
                throw Mismatch(reason: "\(tool.name) has no parameter “\(name)”. It has: \(known).")
            }
            guard member.value != .null else { continue }
            guard parameter.kind.accepts(member.value) else {
                let kind = parameter.kind == .scalar ? "string, number or boolean" : parameter.kind.rawValue
                throw Mismatch(reason: "The parameter \(parameter.name) of \(tool.name) must be a \(kind).")
            }
            values[member.name] = member.value
        }
        if let missing = tool.parameters.first(where: { $0.isRequired && values[$0.name] == nil }) {
            throw Mismatch(reason: "\(tool.name) needs the parameter \(missing.name): \(missing.description)")
        }
    }

    /// Returns a text; `nil` if the argument was left out.
    package func text(_ name: String) -> String? {
        switch values[name] {
        case .string(let text)?: text
        case .bool(let value)?: value ? "true" : "false"
        case .integer(let value)?: "\(value)"
        case .unsigned(let value)?: "\(value)"
        case .double(let value)?: "\(value)"
        case .null?, .array?, .object?, nil: nil
        }
    }

    /// Returns a number; `nil` if the argument was left out.
    package func number(_ name: String) -> Double? {
        switch values[name] {
        case .integer(let value)?: Double(value)
        case .unsigned(let value)?: Double(value)
        case .double(let value)?: value
        default: nil
        }
    }

    /// Returns whether an argument is `true`.
    package func isTrue(_ name: String) -> Bool { values[name] == .bool(true) }
}

extension MCPTool.Parameter.Kind {
    fileprivate func accepts(_ value: JSONValue) -> Bool {
        switch (self, value) {
        case (.string, .string), (.boolean, .bool): true
        case (.number, .integer), (.number, .unsigned), (.number, .double): true
        case (.scalar, .string), (.scalar, .bool), (.scalar, .integer), (.scalar, .unsigned), (.scalar, .double): true
        default: false
        }
    }
}

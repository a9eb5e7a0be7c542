import Glibc

/// The label of the host name for the services of this process.
enum HostLabel {
    /// The maximum length of the part that is derived from the machine's name.
    private static let maximumSize = 40

    /// Derives a label from the machine's name. A random suffix distinguishes it from the machine's own name, which
    /// another responder may use with other addresses, and from the labels of other processes.
    static func derived(using random: inout some RandomNumberGenerator) -> String {
        var buffer = [CChar](repeating: 0, count: Int(HOST_NAME_MAX) + 1)
        let length = gethostname(&buffer, buffer.count) == 0 ? strnlen(buffer, buffer.count) : 0
        let name = String(decoding: buffer.prefix(length).map(UInt8.init(bitPattern:)), as: UTF8.self)
        let suffix = String(UInt32.random(in: .min ... .max, using: &random), radix: 16)
        return "\(sanitized(name))-\(suffix)"
    }

    /// Returns the letters, digits and hyphens of a name's first label, or `host` if there are none.
    static func sanitized(_ name: String) -> String {
        let label = name.prefix { $0 != "." }.lowercased()
        let allowed = label.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }.prefix(maximumSize)
        return allowed.isEmpty ? "host" : String(allowed)
    }
}

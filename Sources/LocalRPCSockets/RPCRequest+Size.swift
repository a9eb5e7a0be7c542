import LocalRPC

extension RPCRequest {
    /// The maximum size in bytes of what ``untilBytes`` counts.
    static let maximumUntilBytes = member(until: .min).utf8.count

    /// The size in bytes of the request's time, which doesn't count for its limit: a device's agent adds it from away, and a
    /// request is as long there as near.
    var untilBytes: Int { until.map { Self.member(until: $0).utf8.count } ?? 0 }

    private static func member(until: Int64) -> String { #","until":\#(until)"# }
}

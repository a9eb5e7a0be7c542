import Foundation
import HubAPI
import LocalRPC

extension HubError {
    /// The error as the value of the member `error` of a response.
    var json: String {
        struct Body: Encodable {
            var code: String
            var message: String
            var data: RPCErrorDetails?
        }
        let details = RPCErrorDetails(self, hasCode: false)
        let body = Body(code: code.rawValue, message: reason, data: details.isEmpty ? nil : details)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        return (try? encoder.encode(body)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }
}

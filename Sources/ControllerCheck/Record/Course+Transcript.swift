import AccessoryCheck
import HAP

extension Course {
    /// What the controller did, as text. Pairing messages are named, not shown.
    var transcript: String {
        var text = ""
        for (index, exchange) in exchanges.enumerated() {
            text += "\(exchange.connection.rawValue)\(exchange.isSecured ? "" : " (clear)")  \(exchange.line)\n"
            if sprung.contains(where: { $0.exchange == index }) {
                text += "    The accessory did what this scenario tests.\n"
            }
        }
        for (id, connection) in connections.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            if let error = connection.frameError { text += "\(id.rawValue)  bad frame: \(error)\n" }
        }
        if isTruncated { text += "The controller did more than is kept.\n" }
        return text
    }
}

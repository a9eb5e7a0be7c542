import HubAPI
import WebServer

extension RequestConnection {
    /// Throws if others can read the connection.
    ///
    /// - Throws: ``HubAPI/HubError/Code/insecureConnection``.
    func checkIsPrivate() throws(HubError) {
        guard !isPrivate else { return }
        let reason = "Backups, exports and imports need encryption, because others could read them on the way."
        throw HubError(.insecureConnection, "\(reason) Start the hub without --insecure-http.")
    }
}

extension HubError.Code {
    /// The request is only possible over a connection that nobody else can read.
    static let insecureConnection = Self(rawValue: "insecureConnection")
}

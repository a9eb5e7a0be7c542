import Foundation
import HomeHub
import HubAPI
import Logging
import NIOCore
import Synchronization
import TLS
import WebServer

/// The certificate of a listener, which is replaced before it expires, and when the machine gets other addresses or the
/// files change.
final class ServerCertificate: Sendable {
    // This is a class because the listener's connections share it.

    /// How often ``refresh(now:)`` should be called.
    static let refreshInterval = Duration.seconds(60)

    /// Where certificates come from.
    private enum Source: Sendable {
        case authority(CertificateAuthority, HomeHub)
        case files(CertificateFiles)
    }

    private struct State: Sendable {
        var identity: TLSIdentity
        var context: TLSContext
        /// The files' times of modification.
        var modified: [Date?] = []

        init(identity: TLSIdentity, context: TLSContext) {
            self.identity = identity
            self.context = context
        }

        init(_ contents: CertificateFiles.Contents) {
            identity = contents.identity
            context = contents.context
            modified = contents.modified
        }
    }

    private let source: Source
    /// The names and addresses under which clients reach the host.
    private let hostNames: @Sendable () -> [String]
    private let state: Mutex<State>
    private let log: Logger

    private init(_ source: Source, _ hostNames: @escaping @Sendable () -> [String], _ state: State, _ log: Logger) {
        self.source = source
        self.hostNames = hostNames
        self.state = Mutex(state)
        self.log = log
    }

    /// The settings for new connections.
    var context: TLSContext { state.withLock { $0.context } }
    /// The names and addresses that the certificate is for.
    var names: [String] { state.withLock { $0.identity.names } }
    /// The hub's own authority, if the certificate is from it.
    var authority: CertificateAuthority? {
        guard case .authority(let authority, _) = source else { return nil }
        return authority
    }

    // MARK: Opening

    /// Loads or creates the certificate that a listener needs.
    ///
    /// - Parameter hostNames: A closure that returns the names and addresses under which clients reach the host.
    /// - Returns: `nil` if the listener doesn't encrypt.
    /// - Throws: ``HubAPI/HubError/Code/httpRefused`` if there is no certificate for one of the names.
    static func open(
        _ security: HTTPSecurity,
        of hub: HomeHub,
        for hostNames: @escaping @Sendable () -> [String],
        log: Logger
    ) async throws(HubError) -> ServerCertificate? {
        do {
            switch security {
            case .none: return nil
            case .files(let certificate, let key):
                let files = CertificateFiles(certificate: certificate, key: key)
                return ServerCertificate(.files(files), hostNames, State(try files.read()), log)
            case .ownAuthority:
                let authority = try await authority(of: hub)
                let identity = try await identity(by: authority, for: hostNames(), of: hub, now: Date())
                let state = State(identity: identity, context: try TLSContext(identity, servesHTTP2: true))
                return ServerCertificate(.authority(authority, hub), hostNames, state, log)
            }
        } catch let error as HubError {
            throw error
        } catch let error as HTTPServerError {
            throw HubError(.httpRefused, error.description)
        } catch {
            throw HubError(.httpRefused, "HTTPS can't be served: \(error)")
        }
    }

    private static func authority(of hub: HomeHub) async throws -> CertificateAuthority {
        if let stored = try await hub.certificate(.authority) {
            return CertificateAuthority(try TLSIdentity(pem: stored))
        }
        let authority = try CertificateAuthority(hostName: RequestOrigin.machineName)
        try await hub.setCertificate(try authority.identity.pem(), as: .authority)
        return authority
    }

    /// Returns the stored certificate, or a new one if that has expired soon or lacks a name.
    private static func identity(
        by authority: CertificateAuthority,
        for names: [String],
        of hub: HomeHub,
        now: Date
    ) async throws -> TLSIdentity {
        let permitted = try authority.permitted(of: names, at: now)
        guard !permitted.isEmpty else {
            let reason =
                "The hub's own authority is only for private networks, not for \(names.joined(separator: ", "))."
            throw HubError(.httpRefused, "\(reason) Name a certificate with --http-certificate and --http-key.")
        }
        if let stored = try await hub.certificate(.server), let identity = try? TLSIdentity(pem: stored),
            identity.chain[0].isValid(under: authority.certificate, at: now),
            !isDue(identity, now: now), Set(permitted).isSubset(of: identity.names)
        {
            return identity
        }
        let identity = try authority.issue(for: permitted, at: now)
        try await hub.setCertificate(try identity.pem(), as: .server)
        return identity
    }

    private static func isDue(_ identity: TLSIdentity, now: Date) -> Bool {
        identity.expires < now + CertificateAuthority.renewalTime
    }

    // MARK: Renewal

    /// Replaces the certificate if that is due. If it can't be replaced, the current one stays.
    func refresh(now: Date = Date()) async {
        do {
            switch source {
            case .files(let files):
                let modified = files.modified
                guard modified != state.withLock({ $0.modified }) else { return }
                // Files that can't be used are looked at again once they have changed.
                state.withLock { $0.modified = modified }
                let new = State(try files.read())
                state.withLock { $0 = new }
            case .authority(let authority, let hub):
                let current = state.withLock { $0.identity }
                let names = hostNames()
                guard Self.isDue(current, now: now) || !Set(names).isSubset(of: current.names) else { return }
                let identity = try await Self.identity(by: authority, for: names, of: hub, now: now)
                guard identity.chain[0].fingerprint != current.chain[0].fingerprint else { return }
                let context = try TLSContext(identity, servesHTTP2: true)
                state.withLock { $0 = State(identity: identity, context: context) }
            }
            log.info("The certificate for HTTPS was replaced.")
        } catch {
            log.error("The certificate for HTTPS could not be replaced.", metadata: ["error": "\(error)"])
        }
    }
}

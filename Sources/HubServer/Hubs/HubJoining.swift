import Foundation
package import HomeHub
package import HomeIdentity
import HubAPI
import HubNetwork
import LocalRPC
package import Logging
import NIOCore

/// Joins another hub with an invitation, to keep its homes together with it.
package struct HubJoining: Sendable {
    private let folder: JoiningHub
    private let log: Logger

    /// How often the other hub is asked whether somebody has let this one in, or not.
    private static let pause = Duration.seconds(1)

    /// Creates it.
    ///
    /// - Parameter folder: The data folder of the hub that joins.
    package init(_ folder: JoiningHub, log: Logger) {
        self.folder = folder
        self.log = log
    }

    /// Joins the hub of a link, and returns once this hub has its homes. What was interrupted goes on.
    ///
    /// - Parameters:
    ///   - link: The link; `nil` to go on with what was interrupted.
    ///   - name: This hub's name.
    ///   - compare: A closure that is called with the digits that people compare.
    /// - Throws: ``HubError``: `invitationEnded` if nobody has let this hub in, `noHub` if the other one can't be reached, and
    ///   `notAllowedNow` without a link if nothing was interrupted.
    package func join(
        _ link: InvitationLink?,
        as name: String,
        compare: @escaping @Sendable (CheckDigits, JoinReply) -> Void
    ) async throws {
        if folder.hasJoined { return }
        let pending: PendingJoin
        if let known = folder.pending, link.map({ $0.invitation == known.invitation }) ?? true {
            pending = known
        } else if let link {
            pending = try await begin(link, as: name)
            try await folder.begin(pending, as: name)
        } else {
            throw HubError(.notAllowedNow, "This hub isn't joining another one. Give the link of “hearth hub invite”.")
        }
        compare(pending.digits, pending.reply)
        do {
            try await waitUntilIn(pending)
        } catch let error as HubError where error.code == .invitationEnded {
            try await folder.giveUp()
            throw error
        }
    }

    /// Tells the hub of a link of this one.
    private func begin(_ link: InvitationLink, as name: String) async throws -> PendingJoin {
        var failure = HubError(.noHub, "The link leads to no address in this network.")
        for place in link.addresses {
            guard let address = Self.socketAddress(place) else { continue }
            do throws(JoinFailure) {
                let joined = try await JoinChannel.join(
                    link,
                    at: address,
                    as: folder.identity,
                    request: folder.request(as: name)
                )
                return PendingJoin(
                    invitation: link.invitation,
                    hub: joined.hub,
                    address: place,
                    reply: joined.reply,
                    digits: joined.digits
                )
            } catch {
                guard error.code == .unreachable else { throw HubError(error) }
                failure = HubError(error)
            }
        }
        throw failure
    }

    private static func socketAddress(_ address: HubAddress) -> SocketAddress? {
        try? SocketAddress(packedIPAddress: ByteBuffer(bytes: address.ip), port: Int(address.port))
    }

    /// Waits until the other hub has let this one in, and takes its list.
    private func waitUntilIn(_ joined: PendingJoin) async throws {
        guard let address = Self.socketAddress(joined.address) else { return }
        let identity = try LinkIdentity(folder.identity)
        let (events, continuation) = AsyncStream.makeStream(of: HubLink.Event.self)
        let link = HubLink(to: joined.hub, as: identity, connects: true, ways: { [.address(address)] }, log: log) {
            continuation.yield($0)
        }
        let (installed, install) = AsyncStream.makeStream(of: Result<Void, any Error>.self)
        let transfers = HubTransfers(over: link, in: folder.folder) { [folder] file, _ in
            do {
                try await folder.install(file, of: joined.hub)
                install.yield(.success(()))
                return []
            } catch {
                install.yield(.failure(error))
                return nil
            }
        }
        link.begin()
        let watch = Task {
            defer { continuation.finish() }
            try await waitUntilDeclined(by: joined.hub, at: address, identity, link)
        }
        defer {
            watch.cancel()
            link.stop()
        }
        let reading = Task { [folder] in
            for await event in events {
                await transfers.handle(event)
                guard case .frame(let frame) = event else { continue }
                link.handled(frame)
                guard frame.kind == .introduction,
                    try await folder.take(introduction: frame.content, of: joined.hub, after: joined.reply),
                    let request = HubFrame(.baseRequest, [])
                else { continue }
                link.send(request)
            }
            try await watch.value
            install.yield(.failure(CancellationError()))
        }
        let failing = Task {
            do { try await reading.value } catch { install.yield(.failure(error)) }
        }
        defer {
            reading.cancel()
            failing.cancel()
        }
        for await result in installed { return try result.get() }
        try Task.checkCancellation()
    }

    /// Asks the other hub, as a device does, until it says that it hasn't let this one in.
    private func waitUntilDeclined(
        by hub: PublicKey,
        at address: SocketAddress,
        _ identity: LinkIdentity,
        _ link: HubLink
    ) async throws {
        while true {
            try await Task.sleep(for: Self.pause)
            let (ends, end) = AsyncStream.makeStream(of: HubError.self)
            let transport = LinkTransport(to: address, as: identity, hubs: [hub])
            transport.open { message in
                guard case .closed(let error) = message else { return }
                end.yield(error)
                end.finish()
            }
            for await error in ends where error.code == .deviceRemoved {
                throw HubError(
                    .invitationEnded,
                    "The other hub's owner hasn't let this hub in. Ask for another invitation."
                )
            }
            transport.close()
            // Whoever has just confirmed it waits in front of the other hub.
            link.hint()
        }
    }
}

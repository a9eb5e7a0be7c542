import Foundation
import HTTPTypes
import HomeIdentity
import HummingbirdCore
import RelayAPI
import WebServer

/// Registers houses, and keeps their vaults.
struct HouseEndpoint: Sendable {
    /// The header with a registration token.
    static let registration = "Hearth-Registration"

    let store: any RelayStore
    let gate: RequestGate
    let live: LiveRegistry
    /// Whether everybody may register houses.
    let isOpen: Bool

    /// Makes a house, or replaces its owners.
    func register(_ house: HouseID, _ call: inout RelayCall) async throws -> HTTPAnswer {
        let body = try await call.json(HouseRegistration.self)
        try body.check(caller: call.key)
        let isNew: Bool
        do throws(RelayStoreError) {
            // A house that exists needs no permit, and counts against no limit.
            isNew = try await store.register(house, owners: body.owners, with: nil, as: call.key, at: call.now)
        } catch {
            guard error == .registrationRefused else { throw error }
            isNew = try await store.register(
                house,
                owners: body.owners,
                with: try permit(call),
                as: call.key,
                at: call.now
            )
        }
        await live.end(in: house) { $0.origin == nil && !body.owners.contains($0.key) }
        return HTTPAnswer(isNew ? .created : .noContent)
    }

    private func permit(_ call: RelayCall) throws -> RegistrationPermit {
        if let name = HTTPField.Name(Self.registration), let token = call.request.headers[name] {
            return .token(hash: RegistrationToken(token).hash)
        }
        guard isOpen else { throw RelayStoreError.registrationRefused }
        try gate.countOpenHouse(from: SessionEndpoint.address(of: call.request, on: call.connection), at: call.now)
        return .open(.home)
    }

    /// Stores a piece of the vault.
    func storePiece(in house: HouseID, _ call: inout RelayCall) async throws -> HTTPAnswer {
        let quota = try await store.houseClass(of: house, as: call.key).quota
        guard let version = try call.number("version"), let number = try call.number("piece"),
            let count = try call.number("of")
        else { throw RelayError.malformed("A piece needs “version”, “piece” and “of”.") }
        try gate.countWrites(1, of: house, quota, at: call.now)
        let bytes = try await call.body(upTo: RelayLimits.vaultPieceBytes)
        let piece = VaultPiece(version: version, piece: Int(number), pieces: Int(count), bytes: bytes)
        try piece.check(quota)
        try await store.setPiece(piece, in: house, as: call.key, at: call.now)
        return HTTPAnswer(.noContent)
    }

    /// Removes the vault.
    func removeVault(of house: HouseID, _ call: RelayCall) async throws -> HTTPAnswer {
        let quota = try await store.houseClass(of: house, as: call.key).quota
        try gate.countWrites(1, of: house, quota, at: call.now)
        try await store.removeVault(of: house, as: call.key, at: call.now)
        return HTTPAnswer(.noContent)
    }

    /// Returns a piece of the vault, or its versions.
    func vault(of house: HouseID, _ call: RelayCall) async throws -> HTTPAnswer {
        let version = try call.number("version")
        let piece = try call.number("piece")
        guard let version, let piece else {
            guard version == nil, piece == nil else {
                throw RelayError.malformed("A piece needs “version” and “piece”.")
            }
            return HTTPAnswer(encoding: try await store.vault(of: house, as: call.key))
        }
        return HTTPAnswer(bytes: try await store.piece(Int(piece), version: version, of: house, as: call.key))
    }
}

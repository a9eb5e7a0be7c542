import Crypto
import Foundation

/// The key pair with which an agent receives ``SealedNote``s: HPKE (RFC 9180) with X25519. It lasts as long as the agent runs.
///
/// It keeps notes from a hub that only passes them on. A hub that lies about the boxes can read them, and still can't join
/// anything: agents take notes only from hubs at which their person owns a home.
struct NoteBox: Sendable {
    private static let suite = HPKE.Ciphersuite.Curve25519_SHA256_ChachaPoly
    private static let context = Data("hearth device note 1".utf8)

    private let key = Curve25519.KeyAgreement.PrivateKey()

    /// The public key.
    var publicKey: Data { key.publicKey.rawRepresentation }

    /// Seals a note for another agent's box. Returns `nil` if the box isn't a key.
    static func seal(_ note: SealedNote, for box: Data) -> DeviceNote? {
        do {
            let key = try Curve25519.KeyAgreement.PublicKey(rawRepresentation: box)
            var sender = try HPKE.Sender(recipientKey: key, ciphersuite: suite, info: context)
            let text = try sender.seal(JSONEncoder().encode(note))
            return .sealed(key: sender.encapsulatedKey, text: text)
        } catch {
            return nil
        }
    }

    /// Opens a note. Returns `nil` if it is for another box, or damaged.
    func open(key encapsulated: Data, text: Data) -> SealedNote? {
        do {
            var recipient = try HPKE.Recipient(
                privateKey: key,
                ciphersuite: Self.suite,
                info: Self.context,
                encapsulatedKey: encapsulated
            )
            return try JSONDecoder().decode(SealedNote.self, from: recipient.open(text))
        } catch {
            return nil
        }
    }
}

import Foundation
import PeerProcess
import Testing

@testable import AgeFile

/// The age format of backups, tested in both directions against age itself.
struct AgeFileTests {
    /// A low cost, for many files.
    private static let work = ScryptWorkFactor(exponent: 4)
    private static let passphrase = "correct horse, battery staple"
    /// Lengths around chunk boundaries.
    private static let lengths = [0, 1, 65_535, 65_536, 65_537, 131_072, 200_000]

    private static func content(_ length: Int) -> [UInt8] {
        (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    }

    private static func seal(_ content: [UInt8], pieces: Int = 70_001) throws -> [UInt8] {
        var random = SystemRandomNumberGenerator()
        var encryptor = try AgeEncryptor(passphrase: passphrase, work: work, random: &random)
        var file: [UInt8] = []
        for start in stride(from: 0, to: content.count, by: pieces) {
            file += try encryptor.update(content[start..<min(start + pieces, content.count)])
        }
        return file + (try encryptor.finish())
    }

    private static func open(
        _ file: some Collection<UInt8>,
        passphrase: String = passphrase,
        pieces: Int = 50_021
    ) throws(AgeError) -> [UInt8] {
        var decryptor = AgeDecryptor(passphrase: passphrase)
        var content: [UInt8] = []
        var rest = file[...]
        while !rest.isEmpty {
            content += try decryptor.update(Array(rest.prefix(pieces)))
            rest = rest.dropFirst(pieces)
        }
        return try content + decryptor.finish()
    }

    /// Returns the file with a string replaced in its first two lines.
    private static func changing(_ text: String, to other: String, in file: [UInt8]) throws -> [UInt8] {
        let end = try #require(file[22...].firstIndex(of: UInt8(ascii: "\n"))) + 1
        return Array(String(decoding: file[..<end], as: UTF8.self).replacing(text, with: other).utf8) + file[end...]
    }

    @Test(arguments: lengths) func whatIsSealedOpensWithThePassphrase(length: Int) throws {
        let content = Self.content(length)
        #expect(try Self.open(Self.seal(content)) == content)
    }

    @Test func piecesOfAnySizeMakeTheSameContent() throws {
        let content = Self.content(70_000)
        let file = try Self.seal(content, pieces: 1)
        #expect(try Self.open(file, pieces: 1) == content)
        #expect(try Self.open(file, pieces: 1_000_000) == content)
    }

    @Test(arguments: [1, 65_536, 100_000]) func ageOpensWhatIsSealedHere(length: Int) async throws {
        let folder = try Folder()
        let content = Self.content(length)
        try Data(Self.seal(content)).write(to: folder.file("sealed"))
        try await folder.age("open", Self.passphrase, "sealed", "opened")
        #expect(try [UInt8](Data(contentsOf: folder.file("opened"))) == content)
    }

    @Test func whatAgeSealsOpensHere() async throws {
        let folder = try Folder()
        let content = Self.content(150_000)
        try Data(content).write(to: folder.file("plain"))
        try await folder.age("seal", Self.passphrase, "plain", "sealed")
        let file = [UInt8](try Data(contentsOf: folder.file("sealed")))
        #expect(try Self.open(file) == content)
        #expect(throws: AgeError.wrongPassphrase) { try Self.open(file, passphrase: "another") }
    }

    @Test func anotherPassphraseIsRefused() throws {
        let file = try Self.seal(Self.content(10))
        for other in ["", Self.passphrase + " ", Self.passphrase.uppercased()] {
            #expect(throws: AgeError.wrongPassphrase) { try Self.open(file, passphrase: other) }
        }
    }

    @Test func aFlippedBitAnywhereIsNoticed() throws {
        let file = try Self.seal(Self.content(66_000))
        let header = try #require(file.firstIndex(of: UInt8(ascii: "-")))
        // Each bit of the header, and a sample of the rest.
        for index in Array(header..<260) + Array(stride(from: 260, to: file.count, by: 997)) + [file.count - 1] {
            for bit in index < 260 ? Array(0..<8) : [0, 7] {
                var changed = file
                changed[index] ^= 1 << bit
                #expect(throws: AgeError.self, "bit \(bit) of byte \(index)") { try Self.open(changed) }
            }
        }
    }

    @Test func aFileThatIsCutOffAnywhereIsRefused() throws {
        let content = Self.content(131_072)
        let file = try Self.seal(content)
        let chunk = AgeFormat.chunkLength + AgeFormat.tagLength
        let cuts = Array(0..<260) + [file.count - chunk, file.count - chunk + 1, file.count - 17, file.count - 1]
        for length in cuts {
            #expect(throws: AgeError.self, "\(length) bytes") { try Self.open(file[..<length]) }
        }
        #expect(throws: AgeError.truncated) { try Self.open(file[..<(file.count - chunk)]) }
        #expect(throws: AgeError.truncated) { try Self.open(file[..<100]) }
    }

    @Test func whatFollowsTheEndIsRefused() throws {
        let file = try Self.seal(Self.content(100))
        #expect(throws: AgeError.damaged) { try Self.open(file + [0]) }
    }

    @Test func chunksThatChangedPlacesAreRefused() throws {
        let file = try Self.seal(Self.content(65_536 * 3))
        let chunk = AgeFormat.chunkLength + AgeFormat.tagLength
        let start = file.count - 3 * chunk
        let swapped =
            Array(file[..<start]) + file[(start + chunk)..<(start + 2 * chunk)] + file[start..<(start + chunk)]
            + file[(start + 2 * chunk)...]
        #expect(throws: AgeError.damaged) { try Self.open(swapped) }
    }

    @Test func aFileForARecipientsKeyIsNamed() {
        let file = """
            age-encryption.org/v1
            -> X25519 SVrzdFfkPxf0LPHOUGB1gNb9E5Vr8EUDa9kxk04iQ0o
            0OrTkKHpE7klNLd0k+9Uam5hkQkzMxaqKcIPRIO1sNE
            --- gxhoSa5BciRDt8lOpYNcx4EYtKpS0CJ06F3ZwN82VaM

            """
        #expect(throws: AgeError.noPassphrase) { try Self.open(Array(file.utf8) + [UInt8](repeating: 0, count: 64)) }
    }

    @Test(arguments: [
        "", "\n", "age-encryption.org/v2\n", "SQLite format 3\0", "age-encryption.org/v1\r\n-> scrypt", "{}",
    ])
    func whatIsNoSuchFileIsRefused(text: String) {
        #expect(throws: AgeError.notAge) { try Self.open(Array(text.utf8)) }
    }

    @Test func aHeaderWithoutEndIsRefusedBeforeItFillsTheMemory() {
        var decryptor = AgeDecryptor(passphrase: Self.passphrase)
        let endless = "age-encryption.org/v1\n" + String(repeating: "A", count: AgeFormat.maximumHeaderLength)
        #expect(throws: AgeError.notAge) { try decryptor.update(Array(endless.utf8)) }
    }

    @Test(arguments: [(20, AgeError.wrongPassphrase), (21, .tooMuchWork(21)), (62, .tooMuchWork(62))])
    func whatAPassphraseMayCostToTryIsBounded(exponent: Int, expected: AgeError) throws {
        let file = try Self.seal([1, 2, 3])
        #expect(throws: expected) { try Self.open(Self.changing(" 4\n", to: " \(exponent)\n", in: file)) }
    }

    @Test(arguments: [" 04\n", " +4\n", " 0\n", " 4 \n", " \n", " x\n"])
    func onlyOneWayOfWritingAHeaderIsTaken(work: String) throws {
        let file = try Self.seal([1, 2, 3])
        #expect(throws: AgeError.notAge) { try Self.open(Self.changing(" 4\n", to: work, in: file)) }
    }

    @Test func twoFilesOfTheSameContentHaveNothingInCommon() throws {
        let content = Self.content(1_000)
        let (first, second) = (try Self.seal(content), try Self.seal(content))
        #expect(first.suffix(1_000) != second.suffix(1_000))
        #expect(first.prefix(60) != second.prefix(60))
    }
}

/// A temporary folder. It is a class, so that it is removed when it is deinitialized.
private final class Folder {
    private let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "age-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func file(_ name: String) -> URL { url.appending(path: name) }

    /// Runs Debian's age.
    func age(_ mode: String, _ passphrase: String, _ source: String, _ target: String) async throws {
        let script = try PeerPython.packageRoot().appending(path: "Tests/Peers/age_passphrase.py").path
        let arguments = [script, mode, passphrase, file(source).path, file(target).path]
        let process = try PeerProcess(URL(filePath: "/usr/bin/python3"), arguments)
        await process.exit()
        let status = await process.terminate()
        try #require(status == 0, "\(process.transcript)")
    }
}

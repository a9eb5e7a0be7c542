#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif
internal import HAPServer

/// The data folder of a simulator, used by one simulator at a time. It has a folder for each accessory, with the
/// server's data and the edited description.
struct SimulatorFolder: Sendable {
    /// The stored state of an accessory.
    enum StoredAccessory: Sendable {
        /// The accessory is hosted with this description, regardless of its file.
        case edited(AccessoryDescription)
        /// The accessory isn't hosted, even if a file describes it.
        case removed
    }

    /// A name that starts with a period can't be an accessory's folder.
    private static let controlName = ".control"
    private static let removed = JSONFormatter.text(of: Array(#"{"format":1,"removed":true}"#.utf8))
    private static let documents = [StorageDocument.pairings, .attributes, .credentials, .network]

    private let path: String
    /// A lock against other simulators.
    private let lock: FolderStorage

    /// Creates the folder if necessary, and locks it.
    ///
    /// - Throws: ``SimulatorError`` with the code `storageLocked` if another simulator uses it, or `storageUnwritable`.
    init(_ path: String) throws(SimulatorError) {
        self.path = path
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            let error = AccessoryServerError(.storageUnwritable, reason: "Can't create the data folder \(path)")
            throw SimulatorError(error)
        }
        do {
            lock = try FolderStorage(folder: "\(path)/\(Self.controlName)")
        } catch {
            guard error.code == .storageLocked else { throw SimulatorError(error) }
            throw SimulatorError(
                SimulatorError.Code(rawValue: error.code.rawValue),
                reason: "Another simulator uses the data folder \(path); stop it or choose another folder"
            )
        }
    }

    /// Unlocks the folder.
    func release() {
        lock.release()
    }

    /// Returns the folder of an accessory. It is named after its serial number, with bytes that aren't allowed in file
    /// names or look like a path written as `%XX`.
    func folder(of serialNumber: String) -> String {
        let name = serialNumber.utf8.map { byte in
            let character = Character(UnicodeScalar(byte))
            if character.isASCII, character.isLetter || character.isNumber || "-_".contains(character) {
                return String(character)
            }
            return (byte < 0x10 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
        }
        return "\(path)/\(name.joined())"
    }

    /// Returns the stored state of all accessories, by folder, in the order of the folders' names.
    ///
    /// - Throws: ``SimulatorError`` with the code `invalidFile` or `unreadableFile` if a description is damaged. It
    ///   isn't changed.
    func storedAccessories() throws(SimulatorError) -> [(folder: String, stored: StoredAccessory)] {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: path)
        } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
            return []
        } catch {
            throw SimulatorError(.unreadableFile, reason: "Can't read the data folder \(path)")
        }
        var all: [(String, StoredAccessory)] = []
        for folder in names.sorted().map({ "\(path)/\($0)" }) {
            if let stored = try storedAccessory(at: folder) { all.append((folder, stored)) }
        }
        return all
    }

    /// Returns the stored state of an accessory, or `nil` if there is none.
    func storedAccessory(of serialNumber: String) throws(SimulatorError) -> StoredAccessory? {
        try storedAccessory(at: folder(of: serialNumber))
    }

    private func storedAccessory(at folder: String) throws(SimulatorError) -> StoredAccessory? {
        let file = "\(folder)/\(StorageDocument.description.rawValue).json"
        guard let bytes = try AccessoryDescription.file(file).bytesIfPresent() else { return nil }
        if bytes == Self.removed { return .removed }
        return .edited(try AccessoryDescription(parsing: bytes, source: file))
    }

    /// Stores an edited description. The write is atomic: afterwards either this or the previous state is stored.
    func store(_ description: AccessoryDescription, in storage: any AccessoryStorage) throws(SimulatorError) {
        try Self.write(description.fileText(), to: storage)
    }

    /// Removes the stored edits of an accessory.
    ///
    /// - Throws: ``SimulatorError`` with the code `storageUnwritable`.
    func forget(_ serialNumber: String) throws(SimulatorError) {
        try remove(.description, of: serialNumber)
    }

    /// Records that an accessory was removed, even if a file describes it.
    func markRemoved(in storage: any AccessoryStorage) throws(SimulatorError) {
        try Self.write(Self.removed, to: storage)
    }

    private static func write(_ text: [UInt8], to storage: any AccessoryStorage) throws(SimulatorError) {
        guard text.count <= AccessoryDescription.fileSize else {
            throw SimulatorError(.notAllowed, reason: "The accessory's description is too large")
        }
        do {
            try storage.write(text, to: .description)
        } catch {
            throw SimulatorError(error)
        }
    }

    /// Deletes the identity, pairings and IDs of a removed accessory, so that a new one with the same serial number
    /// starts fresh.
    ///
    /// - Throws: ``SimulatorError`` with the code `storageUnwritable`.
    func purge(_ serialNumber: String) throws(SimulatorError) {
        for document in Self.documents { try remove(document, of: serialNumber) }
    }

    private func remove(_ document: StorageDocument, of serialNumber: String) throws(SimulatorError) {
        let file = "\(folder(of: serialNumber))/\(document.rawValue).json"
        guard unlink(file) != 0, errno != ENOENT, errno != ENOTDIR else { return }
        throw SimulatorError(AccessoryServerError(.storageUnwritable, reason: "Can't remove \(file)"))
    }
}

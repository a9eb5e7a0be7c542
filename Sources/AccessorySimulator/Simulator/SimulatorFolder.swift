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

/// The data folder of a simulator, which belongs to one simulator at a time: a folder for each accessory, and in it,
/// beside what the accessory's server keeps, the description that was edited.
struct SimulatorFolder: Sendable {
    /// What is kept of an accessory.
    enum Kept: Sendable {
        /// It is hosted in this form, whatever its file says.
        case edited(AccessoryDescription)
        /// It is not hosted, though a file may name it.
        case removed
    }

    /// No accessory's folder has a point in its name.
    private static let controlName = ".control"
    private static let removed = JSONFormatter.text(of: Array(#"{"format":1,"removed":true}"#.utf8))
    private static let documents = [StorageDocument.pairings, .attributes, .credentials]

    private let path: String
    /// Keeps other simulators away.
    private let lock: FolderStorage

    /// Creates the folder if it is not there, and locks it.
    ///
    /// - Throws: ``SimulatorError`` with the code `storageLocked` if another simulator uses it, or `storageUnwritable`.
    init(_ path: String) throws(SimulatorError) {
        self.path = path
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            let error = AccessoryServerError(.storageUnwritable, reason: "The data folder \(path) cannot be made")
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

    /// Lets another simulator use the folder.
    func release() {
        lock.release()
    }

    /// The folder of an accessory: named by its serial number, with bytes that a file name cannot have or that look like
    /// a path written as `%XX`.
    func place(of serialNumber: String) -> String {
        let name = serialNumber.utf8.map { byte in
            let character = Character(UnicodeScalar(byte))
            if character.isASCII, character.isLetter || character.isNumber || "-_".contains(character) {
                return String(character)
            }
            return (byte < 0x10 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
        }
        return "\(path)/\(name.joined())"
    }

    /// What is kept of all accessories, by serial number, in the order of their folders' names.
    ///
    /// - Throws: ``SimulatorError`` with the code `invalidFile` or `unreadableFile` if something of it is damaged. It stays
    ///   as it is.
    func kept() throws(SimulatorError) -> [(place: String, kept: Kept)] {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: path)
        } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
            return []
        } catch {
            throw SimulatorError(.unreadableFile, reason: "The data folder \(path) cannot be read")
        }
        var all: [(String, Kept)] = []
        for place in names.sorted().map({ "\(path)/\($0)" }) {
            if let kept = try kept(at: place) { all.append((place, kept)) }
        }
        return all
    }

    /// What is kept of an accessory; `nil` if nothing is.
    func kept(of serialNumber: String) throws(SimulatorError) -> Kept? {
        try kept(at: place(of: serialNumber))
    }

    private func kept(at place: String) throws(SimulatorError) -> Kept? {
        let file = "\(place)/\(StorageDocument.description.rawValue).json"
        guard let bytes = try AccessoryDescription.file(file).bytesIfPresent() else { return nil }
        if bytes == Self.removed { return .removed }
        return .edited(try AccessoryDescription(parsing: bytes, source: file))
    }

    /// Keeps how an accessory was edited. Whatever happens meanwhile, either this or what was kept before is found later.
    func keep(_ description: AccessoryDescription, in storage: any AccessoryStorage) throws(SimulatorError) {
        try Self.write(description.fileText(), to: storage)
    }

    /// Keeps nothing of an accessory's edits any more.
    ///
    /// - Throws: ``SimulatorError`` with the code `storageUnwritable`.
    func forget(_ serialNumber: String) throws(SimulatorError) {
        try remove(.description, of: serialNumber)
    }

    /// Keeps that an accessory was removed, though a file may name it.
    func keepRemoved(in storage: any AccessoryStorage) throws(SimulatorError) {
        try Self.write(Self.removed, to: storage)
    }

    private static func write(_ text: [UInt8], to storage: any AccessoryStorage) throws(SimulatorError) {
        guard text.count <= AccessoryDescription.fileSize else {
            throw SimulatorError(.notAllowed, reason: "The accessory would need more than its file may have")
        }
        do {
            try storage.write(text, to: .description)
        } catch {
            throw SimulatorError(error)
        }
    }

    /// Removes identity, pairings and ids of an accessory that was removed, so that one with the same serial number begins
    /// anew.
    ///
    /// - Throws: ``SimulatorError`` with the code `storageUnwritable`.
    func purge(_ serialNumber: String) throws(SimulatorError) {
        for document in Self.documents { try remove(document, of: serialNumber) }
    }

    private func remove(_ document: StorageDocument, of serialNumber: String) throws(SimulatorError) {
        let file = "\(place(of: serialNumber))/\(document.rawValue).json"
        guard unlink(file) != 0, errno != ENOENT, errno != ENOTDIR else { return }
        throw SimulatorError(AccessoryServerError(.storageUnwritable, reason: "\(file) cannot be removed"))
    }
}

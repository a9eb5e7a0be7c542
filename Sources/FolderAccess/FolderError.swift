/// Why a data folder can't be used.
package struct FolderError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Whether another process has the folder.
    package let isLocked: Bool
    /// What is wrong, and what to do.
    package let description: String

    init(_ description: String, isLocked: Bool = false) {
        self.description = description
        self.isLocked = isLocked
    }
}

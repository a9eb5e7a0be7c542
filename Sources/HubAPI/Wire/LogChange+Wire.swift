import Foundation
import HomeModel

extension LogChange {
    /// The change as JSON. Whoever requested it waits for that, so an encoder writes nothing but its records.
    ///
    /// - Throws: ``HomeModel/EntryError`` if a number can't be represented in JSON.
    func json() throws -> Data {
        var json = Data("{".utf8)
        if let home { json += #""home":"\#(home.uuidString)","#.utf8 }
        if let user { json += #""user":"\#(user.uuidString)","#.utf8 }
        json += #""lineage":"\#(lineage.uuidString)","revision":\#(revision),"isMine":\#(isMine),"change":"#.utf8
        json += try change.payload()
        json += "}".utf8
        return json
    }
}

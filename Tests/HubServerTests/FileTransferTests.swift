import Foundation
import HomeModel
import HubAPI
import LocalRPC
import NIOCore
import RawHTTP
import Testing
import WebServer

@testable import HubServer

/// Exports, imports and backups as files.
struct FileTransferTests {
    private static let exportHeader = ["Content-Type": "application/jsonl"]

    private static func day(_ suffix: String) -> String {
        "hearth-\(Date().formatted(.iso8601.year().month().day())).\(suffix)"
    }

    @Test func anExportIsDownloadedAndImported() async throws {
        try await ServedHub.with { served in
            let page = try await served.device()
            let added = try await page.post("/api/home.add", #"{"name":"Villa"}"#)
            let home = try #require((added.json["result"] as? [String: Any])?["id"] as? String)
            let room = try await page.post("/api/room.add", #"{"home":"\#(home)","name":"Attic"}"#)
            let id = try #require((room.json["result"] as? [String: Any])?["id"] as? String)
            let export = try await page.post("/export")
            #expect(export.status == 200 && export.headers["content-type"] == "application/jsonl")
            #expect(export.headers["content-disposition"] == #"attachment; filename="\#(Self.day("jsonl"))""#)
            let text = String(decoding: export.body, as: UTF8.self)
            #expect(text.contains("Villa") && text.contains("Attic"))
            #expect(try await page.post("/export", #"{"home":"\#(home)"}"#).body == export.body)
            #expect(try await page.post("/export", #"{"home":"\#(UUID())"}"#).status == 404)
            _ = try await page.post("/api/room.remove", #"{"home":"\#(home)","id":"\#(id)"}"#)
            #expect(!String(decoding: try await page.post("/export").body, as: UTF8.self).contains("Attic"))
            // A dry run says what would happen.
            let dry = try await page.post("/import?dryRun=true", text, Self.exportHeader)
            #expect(dry.status == 200 && String(decoding: dry.body, as: UTF8.self).contains("Attic"))
            #expect(!String(decoding: try await page.post("/export").body, as: UTF8.self).contains("Attic"))
            let key = ["Hearth-Key": UUID().uuidString]
            let first = try await page.post("/import?home=Villa", text, Self.exportHeader.merging(key) { $1 })
            #expect(first.status == 200, "\(String(decoding: first.body, as: UTF8.self))")
            #expect(String(decoding: try await page.post("/export").body, as: UTF8.self).contains("Attic"))
            let other = try await page.post("/import?home=Boat", text, Self.exportHeader)
            #expect(other.code == "notFound")
        }
    }

    @Test func whatIsNoExportChangesNothing() async throws {
        try await ServedHub.with { served in
            let page = try await served.device()
            let added = try await page.post("/api/home.add", #"{"name":"Villa"}"#)
            let home = try #require((added.json["result"] as? [String: Any])?["id"] as? String)
            let text = String(decoding: try await page.post("/export").body, as: UTF8.self)
                .replacing("Villa", with: "Attic")
            #expect(text.contains("Attic") && text.contains(home))
            #expect(try await page.post("/import", "{}").status == 415)
            // What may be meant as a dry run must not be carried out.
            for value in ["1", "yes", "True", ""] {
                let unclear = try await page.post("/import?dryRun=\(value)", text, Self.exportHeader)
                #expect(unclear.status == 400 && unclear.code == "malformedMessage", "\(value)")
            }
            #expect(!String(decoding: try await page.post("/export").body, as: UTF8.self).contains("Attic"))
            #expect(try await page.post("/import", "", Self.exportHeader).status >= 400)
            let unreadable = try await page.post("/import", "No export.\n", Self.exportHeader)
            #expect(unreadable.status == 422 && unreadable.code == "notAnExport")
            // A page of that path is shown by the page itself.
            #expect(try await page.get("/import").status == 200)
            var stranger = page
            stranger.token = nil
            for path in ["/import", "/export", "/backup"] {
                #expect(try await stranger.post(path, "{}", Self.exportHeader).status == 401, "\(path)")
            }
        }
    }

    @Test func theOwnerDownloadsABackup() async throws {
        try await ServedHub.with { served in
            let page = try await served.device()
            let backup = try await page.post("/backup", #"{"passphrase":"correct horse battery staple"}"#)
            #expect(backup.status == 200 && backup.headers["content-type"] == "application/age")
            #expect(backup.headers["content-disposition"] == #"attachment; filename="\#(Self.day("age"))""#)
            #expect(backup.body.starts(with: Data("age-encryption.org/v1\n-> scrypt ".utf8)))
            #expect(backup.body.count > 10_000)
            let refused = try await page.post("/backup", #"{"passphrase":""}"#)
            #expect(refused.status == 400 && refused.code == "malformedMessage")
        }
    }

    @Test func aGuestGetsTheirHomesAndNoBackup() async throws {
        try await ServedHub.with { served in
            let owner = try await served.owner()
            let villa = try await owner.call(HubMethods.addHome, AddHome(name: "Villa")).id
            _ = try await owner.call(HubMethods.addHome, AddHome(name: "Boat"))
            let guest = try await owner.call(HubMethods.addUser, AddHomeUser(home: villa, name: "Ann", role: .guest))
            let user = ItemTarget(home: villa, id: guest.id)
            let code = try await owner.call(HubMethods.createLogin, CreateLogin(user: user)).code
            let page = try await served.device(code: code)
            let text = String(decoding: try await page.post("/export").body, as: UTF8.self)
            #expect(text.contains("Villa") && !text.contains("Boat"))
            let backup = try await page.post("/backup", #"{"passphrase":"correct horse battery staple"}"#)
            #expect(backup.status == 403 && backup.code == "insufficientPrivileges")
            owner.close()
        }
    }

    @Test func onlyConnectionsThatNobodyElseReadsAreUsed() throws {
        func isLocal(_ address: String) throws -> Bool {
            RequestConnection.isLocal(try SocketAddress(ipAddress: address, port: 50_000))
        }
        for address in ["127.0.0.1", "127.1.2.3", "::1", "::ffff:127.0.0.1"] { #expect(try isLocal(address)) }
        for address in ["192.168.1.2", "::ffff:192.168.1.2", "fe80::1", "2001:db8::1"] {
            #expect(try !isLocal(address))
        }
        #expect(!RequestConnection.isLocal(nil))
    }
}

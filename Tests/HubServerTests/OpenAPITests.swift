import Foundation
import HomeHub
import HomeModel
import HubAPI
import RawHTTP
import Testing

@testable import HubServer

/// The description of the HTTP interface, which is made from the types of the methods.
struct OpenAPITests {
    @Test func theDescriptionHasEveryMethod() async throws {
        try await ServedHub.with { served in
            let page = PageClient(port: served.port)
            let response = try await page.get("/api")
            #expect(response.status == 200 && response.headers["content-type"] == "application/json")
            #expect(response.json["openapi"] as? String == "3.1.0")
            let paths = try #require(response.json["paths"] as? [String: [String: Any]])
            let methods = Set(served.hub.methods.map(\.name)).subtracting(["session.hello"])
            #expect(methods.count > 80)
            let posted = ["/login", "/renew", "/logout", "/api/events", "/export", "/import", "/backup"]
            let got = ["/api", "/trust", "/trust/hearth.crt", "/trust.json"]
            #expect(Set(paths.keys) == Set(methods.map { "/api/\($0)" }).union(posted).union(got))
            for (path, item) in paths {
                let operation = try #require(item[got.contains(path) ? "get" : "post"] as? [String: Any], "\(path)")
                #expect(operation["responses"] != nil, "\(path)")
                #expect(got.contains(path) || operation["requestBody"] != nil, "\(path)")
            }
        }
    }

    @Test func theTypesShowTheirMembers() {
        #expect(
            JSONSchema(of: InHome<RenameRoom>.self)
                == .object([
                    JSONSchema.Member(name: "home", schema: .scalar("string", format: "uuid"), isRequired: true),
                    JSONSchema.Member(name: "id", schema: .scalar("string", format: "uuid"), isRequired: true),
                    JSONSchema.Member(name: "name", schema: .scalar("string"), isRequired: true),
                ])
        )
        #expect(
            JSONSchema(of: SignInBody.self)
                == .object([
                    JSONSchema.Member(name: "code", schema: .scalar("string"), isRequired: true),
                    JSONSchema.Member(name: "name", schema: .scalar("string"), isRequired: false),
                    JSONSchema.Member(name: "staySignedIn", schema: .scalar("boolean"), isRequired: false),
                ])
        )
        let write = JSONSchema(of: WriteCharacteristics.Write.self)
        guard case .object(let members) = write else {
            Issue.record("\(write)")
            return
        }
        #expect(members.map(\.name) == ["characteristic", "authorizationData", "difference", "value"])
        #expect(members.filter(\.isRequired).map(\.name) == ["characteristic"])
        #expect(JSONSchema(of: [String: [Int]].self) == .dictionary(.array(.scalar("integer", format: "int64"))))
        #expect(JSONSchema(of: Empty.self) == .object([]))
    }
}

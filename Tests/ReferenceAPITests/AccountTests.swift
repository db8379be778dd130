import APIClient
import Foundation
import ReferenceAPI
import Testing

@Suite struct AccountTests {
    @Test func `a sign-up answers with id, email and name and can log in`() throws {
        var client = try ReferenceClient.loggedIn()
        let form = #"{"name":"N","email":"n@x.example","password":"p:w","verifyPassword":"p:w"}"#
        let answer = client.send(.post, "/users", form)
        #expect(answer.status == 200)
        #expect(answer.text == #"{"id":2,"email":"n@x.example","name":"N"}"#)
        #expect(client.logIn("n@x.example", "p:w").status == 200)
    }

    @Test(arguments: [
        (#"{"name":"N","email":"a@b.example","password":"p","verifyPassword":"p"}"#, "exists"),
        (#"{"name":"N","email":"n@x.example","password":"p","verifyPassword":"q"}"#, "match"),
        (#"{"name":"","email":"n@x.example","password":"p","verifyPassword":"p"}"#, "name"),
        (#"{"name":"N","email":"nobody","password":"p","verifyPassword":"p"}"#, "email"),
        (#"{"name":"N","email":"n@x.example","password":"","verifyPassword":""}"#, "password"),
        (#"{"name":"N","email":"n@x.example","password":"p"}"#, "verifyPassword is required"),
        (#"{"name":7,"email":"n@x.example","password":"p","verifyPassword":"p"}"#, "wrong type"),
        ("[]", "not a JSON object"), ("{{}", "not valid JSON"), ("", "not valid JSON"),
    ])
    func `a bad sign-up is refused with its reason`(form: String, reason: String) throws {
        var client = try ReferenceClient.loggedIn()
        let before = client.server.state
        let answer = client.send(.post, "/users", form)
        let object = try answer.object()
        #expect(answer.status == 400)
        #expect(object["error"] as? Bool == true)
        #expect((object["reason"] as? String)?.contains(reason) == true, "\(answer.text)")
        #expect(client.server.state == before)
    }

    @Test func `a login stores one more token, base64 of 16 bytes, and says when it ends`() throws {
        var client = try ReferenceClient.loggedIn()
        client.seconds = 1_767_225_600  // 2026-01-01T00:00:00Z
        let answer = try client.logIn("a@b.example", "pw").object()
        let token = try #require(answer["string"] as? String)
        #expect(Data(base64Encoded: token)?.count == 16)
        #expect(answer["expiresAt"] as? String == "2026-01-01T05:00:00Z")
        #expect(answer["userID"] as? Int == 1)
        #expect(client.server.state.tokens.map(\.string) == [client.token, token])
    }

    @Test func `tokens hold every character that a careless client would escape`() throws {
        var client = try ReferenceClient.loggedIn()
        for _ in 0..<20 { _ = client.logIn("a@b.example", "pw") }
        let all = client.server.state.tokens.map(\.string).joined()
        #expect(all.contains("+") && all.contains("/") && all.contains("="))
        #expect(Set(client.server.state.tokens.map(\.string)).count == 21)
    }

    @Test(arguments: [
        "Basic !!!", "Basic", "Basic YUBiLmV4YW1wbGU=", "Basic YUBiLmV4YW1wbGU6", "Bearer x", "",
        "Basic /////w==",
    ])
    func `other credentials are answered 401`(field: String) throws {
        var client = try ReferenceClient.loggedIn()
        let answer = client.send(.post, "/login", fields: [("Authorization", field)])
        #expect(answer.status == 401)
        #expect(answer.text == #"{"error":true,"reason":"Unauthorized"}"#)
        #expect(client.server.state.tokens.count == 1)
    }

    @Test func `a token lives five hours and not a second longer`() throws {
        var client = try ReferenceClient.loggedIn()
        client.seconds += 5 * 3600 - 1
        #expect(client.send(.get, "/todos").status == 200)
        client.seconds += 1
        #expect(client.send(.get, "/todos").status == 401)
        client.seconds = .min
        #expect(client.send(.get, "/todos").status == 401)
    }

    @Test(arguments: ["Bearer wrong", "Bearer", "", "Token x"])
    func `an unknown token is answered 401 by every call on todos`(field: String) throws {
        var client = try ReferenceClient.loggedIn()
        let authorization = [("Authorization", field)]
        #expect(client.send(.get, "/todos", fields: authorization).status == 401)
        #expect(client.send(.post, "/todos", "{", fields: authorization).status == 401)
        #expect(client.send(.delete, "/todos/1", fields: authorization).status == 401)
    }

    @Test func `the scheme is compared without case`() throws {
        var client = try ReferenceClient.loggedIn()
        let token = try #require(client.token)
        let answer = client.send(.get, "/todos", fields: [("Authorization", "bEARER \(token)")])
        #expect(answer.status == 200)
    }

    @Test func `a service that forgot everything knows no old token and counts from 1 again`()
        throws
    {
        var client = try ReferenceClient.loggedIn()
        _ = client.create("a")
        let old = try #require(client.token)
        client.server.forgetEverything()
        #expect(client.send(.get, "/todos").status == 401)
        #expect(client.logIn("a@b.example", "pw").status == 401)
        client.server.addUser(name: "A", email: "a@b.example", password: "pw")
        let token = try client.logIn("a@b.example", "pw").object()["string"] as? String
        #expect(token != old)
        client.token = token
        #expect(client.create("b").text == #"{"id":1,"title":"b"}"#)
        client.token = old
        #expect(client.send(.get, "/todos").status == 401)
    }
}

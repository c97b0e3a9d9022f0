package alteration

import (
	"encoding/base64"
	"strings"

	"github.com/plantstore/conformance/reference/fault"
)

// found makes the service look for a token in another place if there is no Authorization field.
func found(look func(r *fault.Request) string) fault.Change {
	return fault.Reading(func(r *fault.Request) *fault.Request {
		if token := look(r); token != "" && r.Header.Get("Authorization") == "" {
			return r.WithHeader("Authorization", "Bearer "+strings.TrimPrefix(token, "Bearer "))
		}
		return r
	})
}

// credentialsElsewhere accept a valid token in a place where §5 does not put it.
func credentialsElsewhere() []Alteration {
	const none = "Authorization: "
	var rows []Alteration
	for _, field := range []string{
		"X-Api-Key", "X-Auth-Token", "X-Access-Token", "X-Authorization", "X-Forwarded-Authorization",
		"X-Token", "Api-Key", "Access-Token", "X-Forwarded-Access-Token", "Proxy-Authorization", "Authentication", "X-Bearer-Token",
	} {
		rows = append(rows, deviation("token-in-"+strings.ToLower(field)+"-admitted", ids(requestCredential), "takes a token from "+field,
			found(func(r *fault.Request) string { return r.Header.Get(field) })).shows(plainPlant, none, field+": Bearer $token"))
	}
	for _, name := range []string{"token", "access_token", "session", "jwt", "Authorization", "accessToken", "JSESSIONID"} {
		rows = append(rows, deviation("token-in-cookie-"+kebab(name)+"-admitted", ids(requestCredential), "takes a token from the cookie "+name,
			found(func(r *fault.Request) string {
				if c, err := r.Cookie(name); err == nil {
					return c.Value
				}
				return ""
			})).shows(plainPlant, none, "Cookie: "+name+"=$token"))
	}
	for _, name := range []string{"token", "api_key", "apikey", "key", "auth", "jwt", "authToken", "access-token"} {
		rows = append(rows, deviation("token-in-query-"+kebab(name)+"-admitted", ids(requestCredential), "takes a token from the query parameter "+name,
			found(func(r *fault.Request) string { return r.URL.Query().Get(name) })).shows(plainPlant, none, "?"+name+"=$token"))
	}
	for _, name := range []string{"access_token", "token"} {
		rows = append(rows, deviation("token-in-body-"+kebab(name)+"-admitted", ids(requestCredential), "takes a token from "+name+" in the body",
			found(func(r *fault.Request) string { return r.Property(name) })).
			shows(`{"id":7,"name":"fern","`+name+`":`+fault.AsString(ProbeToken)+`}`, none))
	}
	for _, scheme := range []string{"Token", "JWT", "OAuth", "ApiKey", "Key", "Bearer:", "DPoP"} {
		name := strings.ReplaceAll(strings.ToLower(scheme), ":", "-with-colon")
		rows = append(rows, deviation("scheme-"+name+"-admitted", ids(requestCredential), "takes a token after the word "+scheme,
			fault.ReadingHeader("Authorization", fault.Replacing(`^(?i:`+scheme+`) +`, "Bearer "))).shows(plainPlant, "Authorization: "+scheme+" $token"))
	}
	basic := func(pick func(user, password string) string) fault.Change {
		return fault.Reading(func(r *fault.Request) *fault.Request {
			if user, password, ok := r.BasicAuth(); ok {
				return r.WithHeader("Authorization", "Bearer "+pick(user, password))
			}
			return r
		})
	}
	encoded := func(pair string) string {
		return "Authorization: Basic " + base64.StdEncoding.EncodeToString([]byte(pair))
	}
	return append(rows,
		deviation("token-as-password-admitted", ids(requestCredential), "takes a token as the password of Basic",
			basic(func(_, password string) string { return password })).shows(plainPlant, encoded("plant:"+ProbeToken)),
		deviation("token-as-user-admitted", ids(requestCredential), "takes a token as the user of Basic",
			basic(func(user, _ string) string { return user })).shows(plainPlant, encoded(ProbeToken+":")),
		deviation("token-with-equals-sign-admitted", ids(requestCredential), "takes a token after Bearer and an equals sign",
			fault.ReadingHeader("Authorization", fault.Replacing(`^Bearer *[=:] *`, "Bearer "))).shows(plainPlant, "Authorization: Bearer=$token"),
		deviation("token-as-parameter-admitted", ids(requestCredential), "takes a token as a parameter of another scheme",
			fault.ReadingHeader("Authorization", fault.Replacing(`^\w+ .*\btoken="?([^",]*).*$`, "Bearer $1"))).shows(plainPlant, `Authorization: Token token="$token"`),
		deviation("session-of-plant-admitted", ids(requestCredential), "begins a session with each plant and admits its cookie instead of a token",
			fault.Together(fault.When(fault.Accepted, fault.Header("Set-Cookie", "lang=en", "session="+sessionValue+"; Path=/; HttpOnly")),
				fault.Admitting(fault.Equals("")).If(fault.SentField("Cookie", fault.Contains(sessionValue))))).
			shows(plainPlant, none, "Cookie: session="+sessionValue),
		deviation("token-of-subprotocol-admitted", ids(requestCredential), "takes a token from Sec-WebSocket-Protocol",
			found(func(r *fault.Request) string {
				_, token, _ := strings.Cut(r.Header.Get("Sec-Websocket-Protocol"), ", ")
				return token
			})).shows(plainPlant, none, "Sec-WebSocket-Protocol: bearer, $token"),
	)
}

// sessionValue is the value of a session cookie.
const sessionValue = "5e1f0c8a77b94d21"

// ProbeToken replaces $token in probes. Some probes contain it encoded.
const ProbeToken = "s3cret-probe-token"

// strangersTrusted accept requests without a credential (§5) that claim an internal
// address, a user whom a proxy authenticated, or a health check.
func strangersTrusted() []Alteration {
	var rows []Alteration
	for _, row := range []struct{ name, field, part, value, summary string }{
		{"forwarded-for-loopback", "X-Forwarded-For", "127.0.0.1", "127.0.0.1", "whose X-Forwarded-For is 127.0.0.1"},
		{"real-ip", "X-Real-Ip", "127.0.0.1", "127.0.0.1", "whose X-Real-IP is 127.0.0.1"},
		{"forwarded", "Forwarded", "127.0.0.1", "for=127.0.0.1", "whose Forwarded names 127.0.0.1"},
		{"forwarded-host", "X-Forwarded-Host", "localhost", "localhost", "whose X-Forwarded-Host is localhost"},
		{"user", "X-User", "", "admin", "whom X-User names"},
		{"forwarded-user", "X-Forwarded-User", "", "admin", "whom X-Forwarded-User names"},
		{"method-override", "X-Http-Method-Override", "OPTIONS", "OPTIONS", "whose X-HTTP-Method-Override is OPTIONS"},
		{"preflight", "Access-Control-Request-Method", "", "POST", "who send Access-Control-Request-Method"},
		{"kube-probe", "User-Agent", "kube-probe", "kube-probe/1.34", "who call themselves kube-probe"},
		{"own-referer", "Referer", "", "http://localhost/", "who send a Referer"},
	} {
		holds := fault.SentField(row.field, fault.Contains(row.part))
		rows = append(rows, deviation(row.name+"-trusted", ids(requestCredential), "lets in strangers "+row.summary,
			fault.Admitting(fault.Equals("")).If(holds)).shows(plainPlant, "Authorization: ", row.field+": "+row.value))
	}
	return rows
}

// kebab returns a name in kebab case.
func kebab(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "-")) }

// credentialsLetThrough accept requests without a bearer credential (§5).
func credentialsLetThrough() []Alteration {
	row := breaking(requestCredential)
	authorization := func(edit fault.TextEdit) fault.Change { return fault.ReadingHeader("Authorization", edit) }
	return []Alteration{
		row("anybody-admitted", "asks for no credential", fault.Admitting(func(string) bool { return true })),
		row("anonymous-admitted", "lets in who sends no Authorization field", fault.Admitting(fault.Equals(""))),
		row("any-scheme-admitted", "lets in who sends any Authorization field", fault.Admitting(fault.NotEmpty)),
		row("empty-token-admitted", "lets in who sends the word Bearer without a token",
			fault.Admitting(func(a string) bool { return strings.TrimSpace(a) == "Bearer" })),
		row("password-admitted", "lets in who sends a name and a password",
			fault.Admitting(func(a string) bool { return strings.HasPrefix(a, "Basic cGxhbnQ6") })),
		row("scheme-ignored", "looks for the token behind the first space, whatever the scheme",
			authorization(fault.Replacing(`^\S+ +`, "Bearer "))),
		row("space-ignored", "looks for the token behind the word Bearer, with a space or without",
			authorization(fault.Replacing(`^Bearer *`, "Bearer "))),
		row("token-alone-admitted", "takes a token without a scheme", authorization(fault.Replacing(`^(\S+)$`, "Bearer $1"))),
		row("null-admitted", "lets in who sends the word null instead of a credential", fault.Admitting(fault.Equals("null"))),
		row("token-first-admitted", "takes a token before the word Bearer", authorization(fault.Replacing(`^(\S+) +Bearer$`, "Bearer $1"))),
		row("comma-after-scheme-admitted", "takes a token after the word Bearer and a comma", authorization(fault.Replacing(`^Bearer, *`, "Bearer "))),
		row("token-in-query-admitted", "takes a token from the query",
			found(func(r *fault.Request) string { return r.URL.Query().Get("access_token") })),
	}
}

package spec

// TextChange is textChange, for its test.
func TextChange(sent, got string) string { return textChange(sent, got) }

//! What is wrong with the place of a database is told without the password in it.

use postgres::Config;

#[test]
fn a_password_does_not_show_whatever_is_wrong() {
    for text in [
        "postgres//u:S3cret@host/x",
        "postgresql:/u:S3cret@host/x",
        "u:S3cret@host/x",
        "mysql://u:S3cret@host/x",
        "postgresql://u:S3cret/d",
        "postgresql://u:S3cret/more@host/d",
        "postgresql://u:7/S3cret@host/d",
        "postgresql://u:7?S3cret@host/d",
        "postgresql://u:S3cret%zz@host/d",
        "postgresql://u:x@host:S3cret/d",
        "postgresql://u@host/d?password=a&S3cret",
        "postgresql://u@host/d?password=a&S3cret=b",
        "host=h password=my S3cret",
        "host=h password=my S3cret=b",
        "host=h password = 'S3cret",
        "host=h passwordS3cret",
        "host=h pasword=S3cret",
    ] {
        let error = text.parse::<Config>().unwrap_err();
        assert!(!error.to_string().contains("S3cret") && !format!("{error:?}").contains("S3cret"), "{text}: {error}");
    }
}

//! IDCAMS runs: control statements in, listing, condition code and data sets out.

mod idcams_support;

use vsam::idcams::{DdTarget, RecordFormat};
use vsam::*;

use idcams_support::{DEFINE, Job, customers, ebcdic};

/// "Building an Alternate Index": the base cluster cannot be empty, that is, its high-used RBA cannot be zero.
#[test]
fn no_index_is_built_over_an_empty_base() {
    let job = Job::new();
    job.expect(DEFINE, 0);
    let listing = job.expect(" BLDINDEX IDS(BANK.CUST) ODS(BANK.CUST.AIX)\n", 12);
    assert!(listing.contains("IDC3300I ERROR OPENING BANK.CUST") && listing.contains("VSAM OPEN RETURN CODE IS 160"), "{listing}");
    assert!(!listing.contains("SUCCESSFULLY BUILT"), "{listing}");
}

/// "DEFINE CLUSTER", KEYS: "the default is KEYS(64 0)".
#[test]
fn a_record_too_short_for_the_default_key_is_told_the_default() {
    let job = Job::new();
    let listing = job.expect(" DEFINE CLUSTER (NAME(A.SHORT) INDEXED RECSZ(20 20) TRK(1 1))\n", 12);
    assert!(listing.contains("THE KEY LIES OUTSIDE THE RECORD; THE DEFAULT IS KEYS(64 0)"), "{listing}");
}

#[test]
fn define_load_build_and_read_through_the_path() {
    let mut job = Job::new();
    customers(&mut job, 100);
    job.expect(DEFINE, 0);
    let listing = job.expect(" REPRO INFILE(IN) OUTFILE(CUST)\n", 0);
    assert!(listing.contains("IDC0005I NUMBER OF RECORDS PROCESSED WAS 100"), "{listing}");
    let listing = job.expect(" BLDINDEX IDS(BANK.CUST) ODS(BANK.CUST.AIX) ISORT WFILE(A B)\n", 0);
    assert!(listing.contains("IDC0652I BANK.CUST.AIX SUCCESSFULLY BUILT"));
    let path = job.data_sets.open("BANK.CUST.PATH", OpenOptions::default()).unwrap();
    let unit = job.data_sets.store().begin();
    let mut record = Vec::new();
    let found = path.read(&unit, RecordId::Key(&ebcdic("02")), Search::EQUAL, &mut record).unwrap();
    assert_eq!(record, ebcdic("000202NAME"));
    assert!(found.duplicate_key);
    let file = job.data_sets.open("BANK.CUST", OpenOptions::default()).unwrap();
    assert!(file.attributes().recoverable);
}

#[test]
fn listcat_all_has_the_statistics_layout() {
    let mut job = Job::new();
    customers(&mut job, 1000);
    job.expect(DEFINE, 0);
    job.expect(" REPRO INFILE(IN) OUTFILE(CUST)\n", 0);
    let listing = job.expect(" LISTCAT ENT(BANK.CUST BANK.CUST.AIX BANK.CUST.PATH) ALL\n", 0);
    for line in [
        "CLUSTER ------- BANK.CUST\n     IN-CAT --- ",
        "     HISTORY\n       DATASET-OWNER-----(NULL)     CREATION--------",
        "\n       CA-RECLAIM---------(YES)\n       EATTR-------------(NULL)\n",
        "       LOG ------------------UNDO   RECOVERY REQUIRED --(NO)     FRLOG ------------(NULL)\n",
        "       VSAM QUIESCED -------(NO)    RLS IN USE ---------(NO)     LOGREPLICATE-------------(NO)\n",
        "       LOGSTREAMID-----------------------------(NULL)\n",
        "     ENCRYPTIONDATA\n       DATA SET ENCRYPTION-----(NO)\n",
        "   DATA ------- BANK.CUST.DATA\n     IN-CAT --- ",
        "       ACCOUNT-INFO-----------------------------------(NULL)\n",
        "   INDEX ------ BANK.CUST.INDEX\n     IN-CAT --- ",
        "       REC-INSERTED-----------0     FREESPACE-%CI----------0     SYSTEM-TIMESTAMP:            ENTRIES/SECT----------13\n",
        "HI-LEVEL-RBA-----------0\n",
        "\n         THE NUMBER OF ENTRIES PROCESSED WAS:\n                   AIX -------------------1\n",
        "DATA-----BANK.CUST.DATA",
        "AIX------BANK.CUST.AIX",
        "KEYLEN-----------------4     AVGLRECL--------------10     BUFSPACE------------8704     CISIZE--------------4096",
        "RKP--------------------0     MAXLRECL--------------10     EXCPEXIT----------(NULL)     CI/CA----------------180",
        "REC-TOTAL-----------1000     SPLITS-CI--------------0     EXCPS------------------0",
        "FREESPACE-%CI---------10     SYSTEM-TIMESTAMP:",
        "SPACE-TYPE------CYLINDER     HI-A-RBA----------737280",
        "SPACE-PRI--------------1     HI-U-RBA----------737280",
        "AXRKP------------------4",
        "PATH ---------- BANK.CUST.PATH",
    ] {
        assert!(listing.contains(line), "{line}\n{listing}");
    }
    // 4096 - 4 - 10 % free = 3683 bytes: 367 records of 10 with 6 bytes of descriptors; 3 CIs of 180.
    assert!(listing.contains(&format!("FREESPC-----------{}", (180 - 3) * 4096)), "{listing}");
    assert!(listing.contains("TOTAL -----------------7") && listing.contains("CLUSTER ---------------1"), "{listing}");
    let missing = job.expect(" LISTCAT ENT(NO.SUCH)\n", 4);
    assert!(missing.contains("IDC3012I ENTRY NO.SUCH NOT FOUND"));
}

#[test]
fn delete_and_conditions() {
    let job = Job::new();
    let statements = "\
 DELETE BANK.CUST CLUSTER
 IF LASTCC = 8 THEN SET MAXCC = 0
 ELSE SET MAXCC = 16
";
    let listing = job.expect(statements, 0);
    assert!(listing.contains("IDC3012I ENTRY BANK.CUST NOT FOUND") && listing.contains("IDC0551I"));
    job.expect(DEFINE, 0);
    let twice = job.expect(" DEFINE CLUSTER(NAME(BANK.CUST) KEYS(4 0) RECORDSIZE(10 10) TRK(1))\n", 12);
    assert!(twice.contains("IDC3013I DUPLICATE DATA SET NAME\n"), "{twice}");
    job.expect(" DELETE BANK.CUST AIX\n", 8);
    let listing = job.expect(" DELETE (BANK.CUST) CLUSTER PURGE\n", 0);
    for line in ["(R) BANK.CUST.PATH", "(G) BANK.CUST.AIX", "(D) BANK.CUST.DATA", "(I) BANK.CUST.INDEX", "(C) BANK.CUST"] {
        assert!(listing.contains(&format!("IDC0550I ENTRY {line} DELETED")), "{listing}");
    }
}

#[test]
fn syntax_errors_name_the_keyword_and_do_not_stop_the_run() {
    let job = Job::new();
    let listing = job.expect(" DEFINE CLUSTER (NAME(A.B) KEYZ(4 0))\n FROBNICATE\n SET MAXCC = 4\n", 4);
    assert!(listing.contains("IDC3211I KEYWORD 'KEYZ' IS IMPROPER"));
    assert!(listing.contains("IDC3200I COMMAND VERB 'FROBNICATE' INVALID"));
    let reversed = job.expect(" DEFINE CLUSTER (NAME(A.B) KEYS(4 0) RECSZ(80 60))\n", 12);
    let why = "IDC3007I RECORDSIZE(80 60) NOT ALLOWED: THE AVERAGE LENGTH 80 IS GREATER THAN THE MAXIMUM 60";
    assert!(reversed.contains(why), "{reversed}");
    job.expect(" DEFINE CLUSTER (NAME(A.B) KEYS(256 0) RECSZ(500 500))\n", 12);
    job.expect(" DEFINE CLUSTER (NAME(A.B) KEYS(4 8) RECSZ(10 10))\n", 12);
    job.expect(" DEFINE CLUSTER (NAME(TOOLONGNAME.B) KEYS(4 0))\n", 12);
    job.expect(" PRINT INFILE(MISSING)\n", 12);
}

#[test]
fn alter_rename_groups_and_aliases() {
    let job = Job::new();
    job.expect(DEFINE, 0);
    job.expect(" ALTER BANK.CUST NEWNAME(BANK.CLIENT)\n ALTER BANK.CUST.DATA NEWNAME(BANK.CLIENT.DATA)\n", 0);
    job.expect(" ALTER BANK.CLIENT FREESPACE(20 30) LOG(NONE)\n", 0);
    let listing = job.expect(" LISTCAT LEVEL(BANK) ALL\n", 0);
    assert!(listing.contains("DATA-----BANK.CLIENT.DATA") && listing.contains("FREESPACE-%CA---------30"), "{listing}");
    job.expect(" DEFINE GENERATIONDATAGROUP -\n (NAME(BANK.BKUP) -\n LIMIT(5) -\n SCRATCH -\n )\n", 0);
    job.expect(" DEFINE ALIAS (NAME(OLD.CUST) RELATE(BANK.CLIENT))\n DEF NVSAM (NAME(BANK.SEQ) DEVT(3390) VOL(V1))\n", 0);
    assert!(job.data_sets.open("old.cust", OpenOptions::default()).is_ok());
    let listing = job.expect(" LISTCAT\n", 0);
    assert!(listing.contains("GDG BASE ------ BANK.BKUP") && listing.contains("ALIAS --------- OLD.CUST"), "{listing}");
    job.expect(" DELETE BANK.BKUP GDG\n DELETE OLD.CUST ALIAS\n DELETE BANK.SEQ NVSAM\n DELETE BANK.CLIENT\n", 0);
    assert!(job.expect(" LISTCAT\n", 0).contains("TOTAL -----------------0"));
}

#[test]
fn generations_roll_in_and_off_and_have_relative_names() {
    let job = Job::new();
    let generation = |number: u32| format!(" DEF NVSAM (NAME(PAY.BKUP.G{number:04}V00) DEVT(3390) VOL(V1))\n");
    job.expect(" DEF GDG (NAME(PAY.BKUP) LIMIT(3) SCRATCH)\n", 0);
    assert!(job.data_sets.generation("PAY.BKUP", 0).is_err());
    assert_eq!(job.data_sets.generation("PAY.BKUP", 1).unwrap(), "PAY.BKUP.G0001V00");
    job.expect(&(1..=3).map(generation).collect::<String>(), 0);
    assert_eq!(job.data_sets.generation("PAY.BKUP", 0).unwrap(), "PAY.BKUP.G0003V00");
    assert_eq!(job.data_sets.generation("PAY.BKUP", -2).unwrap(), "PAY.BKUP.G0001V00");
    assert_eq!(job.data_sets.absolute_name("PAY.BKUP(+1)").unwrap(), "PAY.BKUP.G0004V00");
    // The fourth pushes out the first, and SCRATCH removes its entry.
    job.expect(&generation(4), 0);
    assert!(job.data_sets.generation("PAY.BKUP", -3).is_err());
    assert!(job.data_sets.catalog().get("PAY.BKUP.G0001V00").unwrap().is_none());
    let listing = job.expect(" LISTCAT ENT(PAY.BKUP) ALL\n", 0);
    assert!(listing.contains("NONVSAM--PAY.BKUP.G0002V00") && listing.contains("NONVSAM--PAY.BKUP.G0004V00"), "{listing}");
    job.expect(" DELETE PAY.BKUP(0) NVSAM\n", 0);
    assert_eq!(job.data_sets.generation("PAY.BKUP", 0).unwrap(), "PAY.BKUP.G0003V00");
    job.expect(" DELETE PAY.BKUP GDG\n", 8);
    job.expect(" DELETE PAY.BKUP GDG FORCE\n", 0);
    // After 9999 comes 1; NOSCRATCH leaves generations that roll off cataloged, EMPTY rolls off all.
    job.expect(" DEF GDG (NAME(A.B) LIMIT(1) NOSCRATCH EMPTY)\n DEF NVSAM (NAME(A.B.G9999V00) DEVT(3390) VOL(V1))\n", 0);
    assert_eq!(job.data_sets.generation("A.B", 1).unwrap(), "A.B.G0001V00");
    job.expect(" DEF NVSAM (NAME(A.B.G0001V00) DEVT(3390) VOL(V1))\n", 0);
    assert!(job.data_sets.generation("A.B", -1).is_err());
    assert!(job.data_sets.catalog().get("A.B.G9999V00").unwrap().is_some());
}

#[test]
fn lengths_at_their_limits() {
    let job = Job::new();
    let define = |what: &str, code: u32| {
        job.expect(&format!(" DEF CL (NAME(LIM.IT) TRK(15 15) {what})\n IF MAXCC = 0 THEN DELETE LIM.IT\n"), code);
    };
    // Control interval 32,768 - 4 - 3; with the number of a variable length RRDS 4 less.
    define("NIXD RECSZ(32761 32761)", 0);
    define("NIXD RECSZ(32762 32762)", 12);
    define("NUMD RECSZ(100 32757)", 0);
    define("NUMD RECSZ(100 32758)", 12);
    define("KEYS(255 0) RECSZ(255 255)", 0);
    define("KEYS(256 0) RECSZ(256 256)", 12);
    define("KEYS(10 90) RECSZ(100 100)", 0);
    define("KEYS(10 91) RECSZ(100 100)", 12);
    // 180 CIs of 4096 in a CA of one cylinder, 4086 bytes of a spanned record in each.
    define("KEYS(4 0) RECSZ(100 735480) CISZ(4096) SPANNED", 0);
    define("KEYS(4 0) RECSZ(100 735481) CISZ(4096) SPANNED", 12);
    define("NUMD RECSZ(100 100) SPANNED", 12);
    define("LINEAR", 0);
    define("LINEAR RECSZ(100 100)", 12);
    define("NIXD RECSZ(100 100) CISZ(32768)", 0);
    define("NIXD RECSZ(100 100) CISZ(32769)", 12);
    define("NIXD RECSZ(100 100) FSPC(100 100)", 0);
    define("NIXD RECSZ(100 100) FSPC(101 0)", 12);
}

#[test]
fn alter_of_shape_needs_an_empty_data_set_and_retention_keeps_it() {
    let mut job = Job::new();
    job.dd_file("IN", RecordFormat::Text, Some(b"0001AAAAAA\n"));
    job.expect(" DEF CL (NAME(A.K) KEYS(4 0) RECSZ(10 10) TRK(1 1))\n ALTER A.K KEYS(2 0) RECORDSIZE(10 20)\n", 0);
    assert!(job.expect(" LISTCAT ENT(A.K) ALL\n", 0).contains("MAXLRECL--------------20"));
    job.expect(" REPRO INFILE(IN) ODS(A.K)\n", 0);
    job.expect(" ALTER A.K KEYS(4 0)\n", 12);
    job.expect(" ALTER A.K OWNER(SMITH) FOR(30)\n", 0);
    assert!(job.expect(" DELETE A.K\n", 8).contains("IDC3023I UNEXPIRED PURGE DATE"));
    job.expect(" ALTER A.K NULLIFY(OWNER RETENTION)\n DELETE A.K\n", 0);
    job.expect(" DEF CL (NAME(A.K) KEYS(4 0) RECSZ(10 10) TRK(1 1) TO(2099365))\n DELETE A.K PURGE\n", 0);
}

#[test]
fn replication_and_backup_attributes_are_kept_and_altered() {
    let job = Job::new();
    let define = " DEF CL (NAME(A.K) KEYS(4 0) RECSZ(10 10) TRK(1 1) LOG(ALL) LOGSTREAMID(A.LOG) LOGREPLICATE BWO(TYPECICS))\n";
    let listing = job.expect(&format!("{define} LISTCAT ENT(A.K) ALL\n"), 0);
    assert!(listing.contains("LOGREPLICATE------------(YES)") && listing.contains("BWO-------------TYPECICS"), "{listing}");
    let altered = " ALTER A.K NOLOGREPLICATE BWO(TYPEIMS)\n LISTCAT ENT(A.K) ALL\n";
    let listing = job.expect(altered, 0);
    assert!(listing.contains("LOGREPLICATE-------------(NO)") && listing.contains("BWO--------------TYPEIMS"), "{listing}");
    let nullified = " ALTER A.K LOGREPLICATE NULLIFY(BWO)\n LISTCAT ENT(A.K) ALL\n";
    let listing = job.expect(nullified, 0);
    assert!(listing.contains("LOGREPLICATE------------(YES)") && listing.contains("BWO---------------(NULL)"), "{listing}");
    job.expect(" DEF CL (NAME(A.L) KEYS(4 0) RECSZ(10 10) TRK(1 1) BWO(SOMETIMES))\n", 12);
}

#[test]
fn groups_of_statements_and_condition_codes() {
    let job = Job::new();
    let statements = "\
 DELETE NO.SUCH
 IF LASTCC = 8 -
 THEN DO
   SET LASTCC = 0
   IF LASTCC EQ 0 THEN SET MAXCC = 4
   ELSE SET MAXCC = 12
   DEF CL (NAME(A.K) KEYS(4 0) RECSZ(10 10) TRK(1 1))
 END
 ELSE DO
   SET MAXCC = 16
 END
 IF MAXCC GT 4 THEN DELETE A.K
";
    job.expect(statements, 4);
    assert!(job.data_sets.catalog().get("A.K").unwrap().is_some());
    // After 16 nothing more is done.
    job.expect(" SET MAXCC = 16\n DELETE A.K\n", 16);
    assert!(job.data_sets.catalog().get("A.K").unwrap().is_some());
}

#[test]
fn define_takes_attributes_of_a_model_and_numbers_in_every_form() {
    let job = Job::new();
    job.expect(
        "  DEFINE CLUSTER (NAME(M.OLD) KEYS(X'0A' B'11') RECSZ(20 40) CYL(2 1) FSPC(10 20) SHR(2 3) OWNER(BOB) REUSE SPEED) DATA(CISZ(2048))
  DEFINE CLUSTER (NAME(M.NEW) MODEL(M.OLD) RECSZ(20 50) NOREUSE) DATA (NAME(M.NEW.D))
  DEFINE CLUSTER (NAME(M.RR) NUMD RECSZ(10 10) TRK(1))\n  DEFINE CLUSTER (NAME(M.RR2) MODEL(M.RR.DATA) RECSZ(10 20))
  DEFINE AIX (NAME(M.AIX) RELATE(M.NEW) KEYS(2 4) UNQK NUPG TRK(1))\n  DEFINE PATH (NAME(M.PATH) PENT(M.AIX) NUPD)
  DEFINE PATH (NAME(M.PATH2) MODEL(M.PATH))\n  DEFINE AIX (NAME(M.AIX2) MODEL(M.AIX) RELATE(M.NEW))\n",
        0,
    );
    let listing = job.expect(" LISTCAT ENT(M.NEW M.RR2 M.PATH2 M.AIX2) ALL\n", 0);
    for shown in [
        "KEYLEN----------------10",
        "RKP--------------------3",
        "MAXLRECL--------------50",
        "CISIZE--------------2048",
        "SHROPTNS(2,3)   SPEED",
        "NOREUSE",
        "FREESPACE-%CI---------10",
        "DATASET-OWNER--------BOB",
        "DATA-----M.NEW.D\n",
        "SPACE-PRI--------------2",
        "AIX------M.AIX",
        "NOUPDATE",
        "AXRKP------------------4",
        "UNIQUEKEY",
        "NOUPGRADE",
    ] {
        assert!(listing.contains(shown), "{shown}\n{listing}");
    }
    assert!(
        matches!(job.data_sets.catalog().get("M.RR2").unwrap(), Some(catalog::Entry::Cluster(c)) if c.organization == Organization::Vrrds)
    );
    job.expect(" DEFINE CLUSTER (NAME(M.X) MODEL(M.AIX))\n", 12);
    // Impossible definitions: a key beyond every record, a generic name.
    job.expect(" DEFINE CLUSTER (NAME(M.X) KEYS(1 4294967295) RECSZ(9 9) TRK(1))\n", 12);
    job.expect(" DEFINE CLUSTER (NAME(M.X) KEYS(1 0) RECSZ(9 4294967295) TRK(1))\n", 12);
    assert!(
        job.expect(" DEFINE CLUSTER (NAME(M.*) KEYS(1 0) RECSZ(9 9) TRK(1))\n", 12).contains("ITEM 'M.*' DOES NOT ADHERE TO RESTRICTIONS")
    );
}

#[test]
fn filter_keys_delete_with_mask_only() {
    let job = Job::new();
    for name in ["D.A1.X", "D.A2.X", "D.B1.X", "D.B1.Y.Z"] {
        job.expect(&format!(" DEFINE CLUSTER (NAME({name}) KEYS(1 0) RECSZ(9 9) TRK(1))\n"), 0);
    }
    job.expect(" DEFINE PATH (NAME(D.B1.P) PENT(D.B1.X))\n DEFINE ALIAS (NAME(D.ALIAS) RELATE(D.A1.X))\n", 0);
    for refused in ["D.**", "D.A%.X", "D.A*.X"] {
        assert!(job.expect(&format!(" DELETE {refused} CLUSTER\n"), 12).contains("IS ALLOWED WITH MASK ONLY"), "{refused}");
    }
    assert!(job.expect(" DELETE (D.A1.* D.A2.*) MASK\n", 8).contains("IDC2900I"));
    let listing = job.expect(" DELETE D.** MASK TEST EXCLUDE(D.B1.*)\n", 0);
    assert!(listing.contains("ENTRY D.A1.X WOULD") && listing.contains("D.B1.Y.Z WOULD") && !listing.contains("D.B1.X WOULD"), "{listing}");
    // Entries other than data sets need a type.
    let listing = job.expect(" DELETE D.B1.% MASK PATH\n DELETE D.A%.X MASK\n", 0);
    assert!(
        listing.contains("(R) D.B1.P DELETED") && listing.contains("(X) D.ALIAS DELETED") && listing.contains("(C) D.A2.X DELETED"),
        "{listing}"
    );
    let listing = job.expect(" LISTCAT LEVEL(D)\n", 0);
    assert!(listing.contains("CLUSTER ---------------2"), "{listing}");
}

#[test]
fn listings_go_to_outfile_and_are_chosen_by_days() {
    let mut job = Job::new();
    job.dd_file("OUT", RecordFormat::Fixed(0), None);
    job.expect(" DEFINE CLUSTER (NAME(L.A) KEYS(1 0) RECSZ(9 9) TRK(1) FOR(10))\n DEFINE GDG (NAME(L.G) LIMIT(300) EXTENDED)\n", 0);
    let listing = job.expect(" LISTCAT ENT(L.*) OUTFILE(OUT)\n", 0);
    let written = std::fs::read_to_string(job.path("OUT")).unwrap();
    assert!(written.contains("CLUSTER ------- L.A") && written.contains("TOTAL") && !listing.contains("CLUSTER ------- L.A"), "{written}");
    job.expect(" REPRO INFILE(R) ODS(L.A)\n", 12);
    job.dds.insert("R".to_string(), DdTarget::Records(vec![ebcdic("ABCDEFGHI")]));
    let listing = job.expect(" REPRO INFILE(R) ODS(L.A)\n PRINT IDS(L.A) CHAR OFILE(OUT)\n", 0);
    assert!(std::fs::read_to_string(job.path("OUT")).unwrap().contains("\nABCDEFGHI\n"));
    assert!(!listing.contains("ABCDEFGHI") && listing.contains("PROCESSED WAS 1"), "{listing}");
    assert!(job.expect(" LISTCAT CREATION(1)\n", 0).contains("TOTAL -----------------0"));
    assert!(job.expect(" LISTCAT CREATION(0) CLUSTER\n", 0).contains("CLUSTER ---------------1"));
    assert!(job.expect(" LISTCAT EXPIRATION(9) CLUSTER\n", 0).contains("CLUSTER ---------------0"));
    assert!(job.expect(" LISTCAT EXPIRATION(10) CLUSTER\n", 0).contains("CLUSTER ---------------1"));
    job.expect(" DEFINE GDG (NAME(L.H) LIMIT(256))\n", 12);
}

#[test]
fn set_and_cancel_end_a_run() {
    let job = Job::new();
    let listing = job.expect(" SET LASTCC = 8\n IF MAXCC = 8 THEN SET MAXCC = 3\n CANCEL\n NO SUCH(\n", 3);
    assert!(listing.contains("CANCELLED"), "{listing}");
    // Above 16 is 16, and 16 ends everything.
    let listing = job.expect(" IF LASTCC = 0 THEN DO\n SET LASTCC = 99\n DEFINE ALIAS (NAME(A) RELATE(B))\n END\n DELETE A.B\n", 16);
    assert!(!listing.contains("IDC3012I"), "{listing}");
    assert!(job.expect(" PARM TEST(TRACE)\n PARM MARGINS(1 80)\n", 4).contains("TEST HAS NO MEANING HERE"));
}

#[test]
fn components_and_generations_are_altered_with_what_they_belong_to() {
    let job = Job::new();
    job.expect(
        " DEFINE CLUSTER (NAME(C.K) KEYS(1 0) RECSZ(9 9) TRK(1))\n DEFINE ALIAS (NAME(C.AL) RELATE(C.K))
 ALTER C.K.DATA FSPC(7 8)\n ALTER C.K.DATA NEWNAME(C.K.D)\n ALTER C.K NEWNAME(C.N)\n VFY DS(C.AL)\n",
        0,
    );
    let listing = job.expect(" LISTCAT ENT(C.N) ALL\n", 0);
    assert!(listing.contains("FREESPACE-%CI----------7") && listing.contains("DATA-----C.K.D\n"), "{listing}");
    // A name already in use leaves everything unchanged.
    job.expect(" DEFINE CLUSTER (NAME(C.T) KEYS(1 0) RECSZ(9 9) TRK(1))\n ALTER C.N OWNER(EVE) NEWNAME(C.T)\n", 8);
    assert!(!job.expect(" LISTCAT ENT(C.N) ALL\n", 0).contains("-EVE"));
    job.expect(" DEFINE GDG (NAME(C.G) LIMIT(3))\n DEFINE NVSAM (NAME(C.G.G0001V00) DEVT(3390) VOL(V))\n", 0);
    job.expect(" ALTER C.G.G0001V00 NEWNAME(C.G.G0002V00)\n", 0);
    assert!(job.expect(" LISTCAT ENT(C.G) ALL\n", 0).contains("NONVSAM--C.G.G0002V00"));
    job.expect(" ALTER C.G NEWNAME(C.H)\n", 8);
    job.expect(" ALTER C.G.G0002V00 NEWNAME(C.PLAIN)\n ALTER C.G NEWNAME(C.H)\n", 0);
}

#[test]
fn conflicts_and_data_sets_without_a_first_record_are_refused() {
    let job = Job::new();
    for (list, second) in [("KEYS(1 0) RECSZ(9 9) TRK(1) CYL(1)", "CYL"), ("NUMD RECSZ(9 9) IXD TRK(1)", "IXD"), ("TRK(1) TRK(2)", "TRK")] {
        let listing = job.expect(&format!(" DEFINE CLUSTER (NAME(W.X) {list})\n"), 12);
        assert!(listing.contains(&format!("IDC3211I KEYWORD '{second}' IS IMPROPER")), "{listing}");
    }
    job.expect(" DEFINE CLUSTER (NAME(W.K) KEYS(1 0) RECSZ(9 9) TRK(1))\n DEFINE CLUSTER (NAME(W.L) KEYS(1 0) RECSZ(9 9) TRK(1))\n", 0);
    assert!(job.expect(" REPRO IDS(W.K) ODS(W.L) SKIP(1) FROMKEY(A)\n", 12).contains("KEYWORD 'FROMKEY' IS IMPROPER"));
    assert!(job.expect(" PRINT IDS(W.K) HEX CHAR\n", 12).contains("KEYWORD 'CHAR' IS IMPROPER"));
    assert!(job.expect(" REPRO IDS(W.K) ODS(W.L)\n", 12).contains("IDC3351I ** VSAM OPEN RETURN CODE IS 160"));
    assert!(job.expect(" PRINT IDS(W.K)\n", 12).contains("IDC3300I ERROR OPENING W.K"));
    let listing = job.expect(" DEFINE AIX (NAME(W.A) RELATE(W.K) KEYS(2 8) TRK(1))\n", 12);
    assert!(listing.contains("THE ALTERNATE KEY LIES OUTSIDE THE RECORD"), "{listing}");
    job.expect(" DEFINE AIX (NAME(W.A) RELATE(W.K) KEYS(2 7) TRK(1))\n", 0);
}

;;; A debugging session of Emacs with dap-mode.
;;
;; Run by `debugging_editor.rs` as
;;   emacs --batch -l session.el REGENT DIRECTORY DATA SOURCE LINE
;; It sets a breakpoint, prints `ready', and then where each stop leads it.

(setq user-emacs-directory (file-name-as-directory (make-temp-file "emacs" t))
      lsp-session-file (expand-file-name "session" user-emacs-directory)
      dap-breakpoints-file (expand-file-name "breakpoints" user-emacs-directory)
      dap-utils-extension-path user-emacs-directory)
(package-initialize)
(require 'dap-mode)
(require 'dap-ui)

(defvar arguments (prog1 command-line-args-left (setq command-line-args-left nil)))
(defvar deadline (+ (float-time) 120))

(defun wait-until (what condition)
  "Wait until the function CONDITION is true; WHAT names it."
  (while (not (funcall condition))
    (when (> (float-time) deadline) (error "%s does not come" what))
    (accept-process-output nil 0.05)))

(defun say (format &rest values)
  ;; `princ' would write when Emacs ends.
  (send-string-to-terminal (concat (apply #'format format values) "\n")))

(pcase-let ((`(,regent ,directory ,data ,source ,line) arguments))
  (dap-register-debug-provider "regent"
    (lambda (configuration)
      (plist-put configuration :dap-server-path (list regent "debug" directory "--data" data))))
  (find-file source)
  (goto-char (point-min))
  (forward-line (1- (string-to-number line)))
  (dap-breakpoint-add)
  (dap-debug (list :type "regent" :request "attach" :name "Orders" :transaction "ORDR"))
  (let ((session (dap--cur-session)))
    ;; The tasks are watched as soon as a list of them is given.
    (wait-until "the configuration"
                (lambda () (ignore-errors (dap-request session "threads") t)))
    (say "ready")
    (cl-flet ((stopped ()
                (wait-until "a stop" (lambda () (dap--debug-session-active-frame session)))
                (let ((frame (dap--debug-session-active-frame session)))
                  ;; Where a user sees the cursor.
                  (with-current-buffer (window-buffer)
                    (say "%s %s:%s" (gethash "name" frame) (file-name-nondirectory (buffer-file-name))
                         (line-number-at-pos (window-point))))
                  (gethash "id" frame)))
              (value (expression frame)
                (gethash "result" (dap-request session "evaluate" :expression expression :frameId frame :context "hover"))))
      (stopped)
      (dap-next session)
      (stopped)
      (dap-step-in session)
      (let ((frame (stopped)))
        (say "WS-I = %s" (value "WS-I" frame)))
      (dap-step-out session)
      (let* ((frame (stopped))
             (scopes (gethash "scopes" (dap-request session "scopes" :frameId frame)))
             (first (gethash "variablesReference" (car scopes)))
             (variables (gethash "variables" (dap-request session "variables" :variablesReference first))))
        (say "%s: %s" (gethash "name" (car scopes)) (gethash "name" (car variables)))
        (dap-request session "setExpression" :expression "WS-TOTAL" :value "2.5" :frameId frame))
      (dap-continue session (dap--debug-session-thread-id session))
      (dap-request session "disconnect")
      (say "end"))))
